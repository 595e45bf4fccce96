// Install takes the provider that make build has built into a folder that terraform init
// installs it from, and prints what points terraform at it. It runs in the repository's
// root folder.
package main

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/terraformcli"
)

const provider = "seed-a7382548/neon"

func main() {
	if err := install(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "The provider could not be installed:", err)
		os.Exit(1)
	}
}

// install gives every build a version of its own, which its content decides: terraform holds a version that a lock file
// names to the program that it has seen, and a program that is built again as it was stays the one that folders use.
func install(program string) error {
	bin, err := filepath.Abs("bin")
	if err != nil {
		return err
	}
	content, err := os.ReadFile(program) // #nosec G304 G703 -- make has built it
	if err != nil {
		return err
	}
	hash := sha256.Sum256(content)
	version := fmt.Sprintf("0.1.%d", binary.BigEndian.Uint32(hash[:]))
	config := filepath.Join(bin, "neon.tfrc")
	if err := terraformcli.WriteMirror(config, filepath.Join(bin, "mirror"), program, provider, version); err != nil {
		return err
	}
	_, err = fmt.Printf("Installed version %s. Next:\n"+
		"  export TF_CLI_CONFIG_FILE=%s\n  terraform init    # terraform init -upgrade in a folder that used "+
		"another build\n", version, config)
	return err
}
