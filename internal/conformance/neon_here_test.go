package conformance

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Names below localhost are the emulator's host for who asks by promises, too, as neonctl does.
func TestNeonHere_promises(t *testing.T) {
	t.Parallel()
	needNode(t)
	preload, err := filepath.Abs("../emulator/serverless/neon-here.mjs")
	if err != nil {
		t.Fatal(err)
	}
	const script = `import dns, { promises } from "node:dns"; import { lookup } from "node:dns/promises";
		const all = await Promise.all([dns.promises, promises, { lookup }].map((one) => one.lookup("ep-a.us-east-2.aws.neon.localhost", { all: true })));
		console.log(all.map(([first]) => first.address).join(" "));`
	command := exec.CommandContext(t.Context(), "node", "--import="+preload, "--input-type=module", "-e", script)
	command.Env = append(os.Environ(), "NEON_BASE_URL=http://127.0.0.7:8473")
	said, err := command.CombinedOutput()
	if got := strings.TrimSpace(string(said)); err != nil || got != "127.0.0.7 127.0.0.7 127.0.0.7" {
		t.Errorf("%v: %s", err, got)
	}
}
