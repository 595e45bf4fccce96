import assert from "node:assert/strict";
import test from "node:test";
import { app, migrate } from "./app.mjs";

test("a note is kept", async () => {
  await migrate();
  const made = await app.request("/notes", { method: "POST", body: JSON.stringify({ text: "hello" }) });
  assert.equal(made.status, 201);
  const [newest] = await (await app.request("/notes")).json();
  assert.equal(newest.text, "hello");
});
