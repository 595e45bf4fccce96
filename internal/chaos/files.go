package chaos

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// codeOf is the archive with the code of a version, and fileOf a file that is one byte longer in the second.
func codeOf(files string, version int) string {
	return filepath.Join(files, fmt.Sprintf("v%d.zip", version))
}

func fileOf(files string, version int) string {
	return filepath.Join(files, fmt.Sprintf("v%d.sql", version))
}

// writeFiles writes what functions and objects have in their versions.
func writeFiles(files string) error {
	for version := range 2 {
		var data bytes.Buffer
		archive := zip.NewWriter(&data)
		entry, err := archive.Create("index.mjs")
		if err == nil {
			_, err = fmt.Fprintf(entry, "export default { fetch: () => new Response(\"%d\") };\n", version)
		}
		if err = errors.Join(err, archive.Close()); err == nil {
			err = os.WriteFile(codeOf(files, version), data.Bytes(), 0o600)
		}
		if err == nil {
			err = os.WriteFile(fileOf(files, version), []byte("SELECT "+strings.Repeat("1", version)+";"), 0o600)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
