import assert from "node:assert/strict";
import { after, test } from "node:test";
import pg from "pg";
import { startNeon } from "./neon.mjs";

const neon = await startNeon(process.env.NEON_IMAGE);
after(() => neon.stop());

test("a branch has a database", async () => {
  const client = new pg.Client(process.env.DATABASE_URL);
  await client.connect();
  const { rows } = await client.query("SELECT 1 AS one");
  await client.end();
  assert.equal(rows[0].one, 1);
});
