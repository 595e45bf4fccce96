// Has Node's programs use the emulator at NEON_BASE_URL with connection strings as Neon gives them, for any driver:
//
//   NODE_OPTIONS="--import=$PWD/neon-here.mjs" npm test
//
// It is about the emulator's host, localhost and names below it alone: the latter are the emulator's host, the certificate
// there is its own, and port 443, where @neondatabase/serverless asks over HTTP and WebSockets, is the emulator without TLS.
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import tls from "node:tls";

const emulator = new URL(process.env.NEON_BASE_URL ?? "http://127.0.0.1:8473");
const isBelow = (host) => /^([a-z0-9-]+\.)+localhost$/i.test(host);
const { lookup } = dns;
const { lookup: lookupLater } = dns.promises;
const { connect } = tls;

dns.lookup = (host, ...rest) => lookup(isBelow(host) ? emulator.hostname : host, ...rest);
dns.promises.lookup = (host, ...rest) => lookupLater(isBelow(host) ? emulator.hostname : host, ...rest);

tls.connect = (...given) => {
  const at = given.findIndex((one) => one !== null && typeof one === "object");
  const options = { ...given[at] };
  const host = options.servername || options.host || (typeof given[1] === "string" ? given[1] : "");
  if (!isBelow(host) && host !== "localhost" && host !== emulator.hostname) {
    return connect(...given);
  }
  if (Number(options.port ?? given[0]) !== 443) {
    return connect(...given.with(at, { ...options, rejectUnauthorized: false }));
  }
  const socket = net.connect({ host: emulator.hostname, port: Number(emulator.port || 80) });
  return socket.once("connect", () => socket.emit("secureConnect")); // Whoever awaits TLS goes on.
};
syncBuiltinESMExports();
