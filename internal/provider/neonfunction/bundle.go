package neonfunction

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// largestBundle bounds what is read into memory.
const largestBundle = 100 << 20

// errNoEntry is a bundle that Neon could not start.
var errNoEntry = errors.New("it has neither index.mjs nor index.js at its root, by which Neon starts a function")

// bundle is a ZIP archive, and the hash of what is in it.
type bundle struct {
	data []byte
	hash string
}

// readBundle reads an archive, or packs a folder into one that is the same whenever and wherever that is done.
func readBundle(source string) (*bundle, error) {
	info, err := os.Stat(source)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return packFolder(source)
	}
	if info.Size() > largestBundle {
		return nil, tooLarge()
	}
	data, err := os.ReadFile(source) //nolint:gosec // The configuration names it.
	if err != nil {
		return nil, err
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, errors.New("it is neither a folder nor a ZIP archive")
	}
	if !slices.ContainsFunc(archive.File, func(file *zip.File) bool { return isEntry(file.Name) }) {
		return nil, errNoEntry
	}
	sum := sha256.Sum256(data)
	return &bundle{data, hex.EncodeToString(sum[:])}, nil
}

func tooLarge() error { return fmt.Errorf("it is larger than %d MiB", largestBundle>>20) }

func isEntry(name string) bool { return name == "index.mjs" || name == "index.js" }

// packFolder packs the files of a folder, in the order of their names. The hash is of names and contents: another
// version of the compression doesn't change it.
func packFolder(folder string) (*bundle, error) {
	root, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return nil, err
	}
	var data bytes.Buffer
	p := packer{root: root, archive: zip.NewWriter(&data), sum: sha256.New()}
	if err := p.addFolder("", root, nil); err != nil {
		return nil, err
	}
	if !p.hasEntry {
		return nil, errNoEntry
	}
	err = p.archive.Close()
	return &bundle{data.Bytes(), hex.EncodeToString(p.sum.Sum(nil))}, err
}

// packer packs a folder, whose path has no links.
type packer struct {
	root     string
	archive  *zip.Writer
	sum      hash.Hash
	size     int64
	hasEntry bool
}

// isState reports whether Terraform keeps its state by that name, or what belongs to it.
func isState(name string) bool {
	return strings.HasSuffix(name, ".tfstate") || strings.HasSuffix(name, ".tfstate.backup") ||
		name == "terraform.tfstate.d" || name == ".terraform"
}

// isLeftOut reports whether a file may have secrets, or is of no use to a function.
func isLeftOut(name string) bool {
	return strings.HasPrefix(name, ".") || isState(name) || strings.HasSuffix(name, ".tfvars") ||
		strings.HasSuffix(name, ".tfvars.json")
}

// addFolder packs what is at a path, under a name, which is empty for the root. Within are the folders that it is in.
func (p *packer) addFolder(name, at string, within []string) error {
	entries, err := os.ReadDir(at)
	if err != nil {
		return err
	}
	within = append(slices.Clone(within), at)
	for _, entry := range entries {
		called := path.Join(name, entry.Name())
		if isState(entry.Name()) {
			return fmt.Errorf("it has %s in it, so that Terraform's own files, with all secrets of the state, would be "+
				"deployed: put the code into a folder of its own", called)
		}
		if isLeftOut(entry.Name()) {
			continue
		}
		if err := p.add(called, filepath.Join(at, entry.Name()), within); err != nil {
			return err
		}
	}
	return nil
}

// add packs a file or a folder, or what a link leads to.
func (p *packer) add(name, at string, within []string) error {
	actual, err := filepath.EvalSymlinks(at)
	if err != nil {
		return fmt.Errorf("%s is a symbolic link that leads to nothing: remove it", name)
	}
	info, err := os.Stat(actual)
	if err != nil {
		return err
	}
	inside, err := filepath.Rel(p.root, actual)
	switch {
	case err != nil || !filepath.IsLocal(inside):
		return fmt.Errorf("%s is a symbolic link that leads out of the folder, to %s: put a copy of that in its place", name,
			actual)
	case info.IsDir() && slices.Contains(within, actual):
		return fmt.Errorf("%s is a symbolic link to a folder that it is in itself: remove it", name)
	case info.IsDir():
		return p.addFolder(name, actual, within)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is neither a file nor a folder", name)
	case isLeftOut(filepath.Base(actual)):
		return nil
	}
	return p.addFile(name, actual)
}

func (p *packer) addFile(name, at string) error {
	content, err := os.ReadFile(at) //nolint:gosec // In the folder that the configuration names.
	if err != nil {
		return err
	}
	if p.size += int64(len(content)); p.size > largestBundle {
		return tooLarge()
	}
	p.hasEntry = p.hasEntry || isEntry(name)
	_, _ = fmt.Fprintf(p.sum, "%s %d\n", name, len(content)) // A hash takes all.
	p.sum.Write(content)
	file, err := p.archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate,
		Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
	if err == nil {
		_, err = io.Copy(file, bytes.NewReader(content))
	}
	return err
}
