// An application with postgres.js: npm install postgres
import postgres from "postgres";

const address = new URL(process.env.DATABASE_URL);
const sql = postgres(`${address.protocol}//${address.username}:${address.password}@${address.host}${address.pathname}`, {
  // Where the host name leads, for resolvers that don't know names below .localhost.
  host: process.env.PGHOSTADDR ?? address.hostname,
  // The certificate is the emulator's own.
  ssl: { servername: address.hostname, rejectUnauthorized: !address.hostname.endsWith(".localhost") },
});

await sql`CREATE TABLE IF NOT EXISTS visits (at timestamptz DEFAULT now())`;
await sql`INSERT INTO visits DEFAULT VALUES`;
const [{ count }] = await sql`SELECT count(*)::int FROM visits`;
console.log(`visits: ${count}`);
await sql.end();
