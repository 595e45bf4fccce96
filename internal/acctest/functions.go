package acctest

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// CodeFolder is a folder with the code of a function, and in it a comment.
func CodeFolder(t *testing.T, comment string) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "index.mjs"), []byte("export default {} // "+comment),
		0o600); err != nil {
		t.Fatal(err)
	}
	return folder
}

// MakeFunction makes a function past Terraform.
func (w *BranchWorld) MakeFunction(t *testing.T, branch client.BranchRef, slug string) {
	t.Helper()
	var data bytes.Buffer
	archive := zip.NewWriter(&data)
	file, err := archive.Create("index.mjs")
	if err == nil {
		_, err = io.WriteString(file, "export default {}")
	}
	w.Settle(t, nil, errors.Join(err, archive.Close()))
	_, err = w.API.CreateFunction(t.Context(), branch, slug, client.FunctionDeploy{Bundle: data.Bytes()})
	w.Settle(t, nil, err)
}
