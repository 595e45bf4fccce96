// What applications do with @neondatabase/serverless, as it is installed: DATABASE_URL is the connection string that
// the API gives.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import test from "node:test";
import { Pool, Client, neon, neonConfig } from "@neondatabase/serverless";
import pg from "pg";
import postgres from "postgres";
import ws from "ws";

const url = process.env.DATABASE_URL;
neonConfig.webSocketConstructor = globalThis.WebSocket ?? ws;
const now = new Date();
// Values of each kind, and their type.
const values = [
  [1, "int"], [-1, "int8"], [Math.PI, "float8"], [Math.PI, "real"], ["1e400", "numeric"], ["NaN", "float8"], [true, "bool"],
  ["hello", "text"], [["a", 'b "\\', null], "text[]"], [[[2], [4]], "int[][]"], [now, "timestamptz"], [now, "timestamp"], [now, "date"],
  ["16:17:18+01:00", "timetz"], [{ x: "y" }, "json"], [{ x: ["y", null] }, "jsonb"], ["[1,4)", "int4range"], ["(2, 3)", "point"],
  ["10.10.10.0/24", "cidr"], ["\\xDEADBEEF", "bytea"], [Buffer.alloc(65536, 128), "bytea"], [[now], "timestamptz[]"], [null, "int"],
];

test("HTTP, WebSockets and TCP give the same", async () => {
  const http = neon(url, { fullResults: true });
  const socket = new Client(url);
  const tcp = new pg.Client(url);
  await Promise.all([socket.connect(), tcp.connect()]);
  for (const [value, type] of values) {
    const query = [`SELECT $1::${type} AS value`, [value]];
    const [a, b, c] = await Promise.all([http.query(...query), socket.query(...query), tcp.query(...query)]);
    for (const other of [b, c]) {
      assert.deepEqual(a.rows, other.rows, type);
      assert.deepEqual(a.fields, other.fields.map((field) => ({ ...field })), type);
      assert.deepEqual([a.command, a.rowCount, a.rowAsArray], [other.command, other.rowCount, other.rowAsArray], type);
    }
  }
  const failures = await Promise.all([http, socket, tcp].map((client) => client.query("SELECT 123 WHERE x").catch((e) => e)));
  for (const field of ["message", "code", "severity", "position", "file", "line", "routine", "detail", "hint"]) {
    assert.equal(failures[0][field] ?? undefined, failures[1][field], field);
    assert.equal(failures[1][field], failures[2][field], field);
  }
  await Promise.all([socket.end(), tcp.end()]);
});

test("transactions over HTTP", async () => {
  const sql = neon(url);
  await sql`CREATE TABLE notes (id int PRIMARY KEY, text text)`;
  const [, , rows] = await sql.transaction(
    [sql`INSERT INTO notes VALUES (1, ${"one"})`, sql`INSERT INTO notes VALUES (2, ${"two"})`, sql`SELECT text FROM notes ORDER BY id`],
    { isolationLevel: "Serializable" },
  );
  assert.deepEqual(rows, [{ text: "one" }, { text: "two" }]);
  await assert.rejects(sql.transaction([sql`DELETE FROM notes`, sql`INSERT INTO notes VALUES (1), (1)`]), { name: "NeonDbError", code: "23505", table: "notes" });
  await assert.rejects(sql.transaction((own) => [own`DELETE FROM notes`], { readOnly: true }), { code: "25006" });
  assert.deepEqual(await sql.transaction([]), []);
  assert.deepEqual(await sql`SELECT count(*)::int FROM notes`, [{ count: 2 }]);
});

test("sessions in WebSockets", async () => {
  for (const pipelineConnect of ["password", false]) {
    neonConfig.pipelineConnect = pipelineConnect;
    const pool = new Pool({ connectionString: url, max: 3 });
    const found = await Promise.all([1, 2, 3, 4, 5].map((n) => pool.query("SELECT $1::int AS n", [n])));
    assert.deepEqual(found.map(({ rows }) => rows[0].n), [1, 2, 3, 4, 5]);
    const client = await pool.connect();
    await client.query("BEGIN");
    await client.query("CREATE TABLE gone ()");
    await client.query("ROLLBACK");
    client.release();
    assert.deepEqual((await pool.query("SELECT to_regclass('gone') AS gone")).rows, [{ gone: null }]);
    neonConfig.poolQueryViaFetch = true;
    assert.equal((await pool.query("SELECT 1")).viaNeonFetch, true);
    neonConfig.poolQueryViaFetch = false;
    await pool.end();
  }
  neonConfig.pipelineConnect = "password";
});

test("what is refused", async () => {
  for (const wrong of [url.replace("@", "x@"), url.replace("//", "//x"), url.replace("@", "@x")]) {
    await assert.rejects(neon(wrong)`SELECT 1`, /password authentication failed for user/);
  }
  for (const pipelineConnect of ["password", false]) {
    neonConfig.pipelineConnect = pipelineConnect;
    const client = new Client(url.replace("@", "x@"));
    const refused = new Promise((resolve) => client.on("error", resolve)); // One that sends its password unasked is told later.
    const failure = await client.connect().then(() => refused, (error) => error);
    assert.match(failure.message, /password authentication failed for user/);
  }
  await assert.rejects(neon(url).query("SELECT $1", []), /bind message supplies 0 parameters/);
  await assert.rejects(neon(url).query("SELECT pg_sleep(20)", [], { fetchOptions: { signal: AbortSignal.timeout(100) } }), /aborted/);
});

test("the module that require gives", async () => {
  const { neon } = createRequire(import.meta.url)("@neondatabase/serverless");
  assert.deepEqual(await neon(url)`SELECT 1 AS one`, [{ one: 1 }]);
});

test("postgres.js", async () => {
  const address = new URL(url);
  address.searchParams.delete("channel_binding"); // It would tell PostgreSQL of it.
  const sql = postgres(address.href);
  assert.deepEqual([...(await sql`SELECT 1 AS one`)], [{ one: 1 }]);
  await sql.end();
});
