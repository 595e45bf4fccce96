// Runs commands of the platform's command line one after another in one process, as its start
// costs far more than they do. Each comes as one write of JSON: its folder and arguments. After
// what it says comes a NUL; at the first that fails the process ends, as the command's own would.
import { pathToFileURL } from "node:url";

const program = process.argv[2];
let commands = 0;

function run({ folder, args }) {
  process.chdir(folder);
  process.argv = [process.execPath, program, ...args];
  // At another address the module that reads the arguments runs again; what it imports doesn't.
  import(`${pathToFileURL(program)}?command=${++commands}`);
}

function awaitNext() {
  process.stdin.ref().once("data", (command) => {
    process.stdin.pause().unref(); // Else it would keep the process from its end.
    run(JSON.parse(command));
  });
  process.stdin.resume();
}

// With nothing left to do, the command's own process would end here.
process.on("beforeExit", (code) => {
  if (code !== 0) {
    process.exit();
  }
  process.stdout.write("\0");
  awaitNext();
});

awaitNext();
