#!/usr/bin/env node
"use strict";

// Starts the program that the package of this platform has.
const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const platform = `neon-emulator-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${platform}/neon-emulator${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`neon-emulator: the package ${platform} isn't installed. If npm was told to leave out optional dependencies, ` +
    "install without that. If there is no such package, this platform has no program.");
  process.exit(1);
}

const emulator = spawn(program, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    // A terminal sends Ctrl-C to both.
    if (signal !== "SIGINT" || !process.stdin.isTTY) emulator.kill(signal);
  });
}
emulator.on("error", (error) => {
  console.error(`neon-emulator: ${error.message}`);
  process.exit(1);
});
emulator.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
