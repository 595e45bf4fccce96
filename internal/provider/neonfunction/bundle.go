package neonfunction

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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

// packFolder packs all files of a folder, in the order of their names. The hash is of names and contents: another
// version of the compression doesn't change it.
func packFolder(folder string) (*bundle, error) {
	var data bytes.Buffer
	sum, archive, hasEntry, size := sha256.New(), zip.NewWriter(&data), false, int64(0)
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if !entry.Type().IsRegular() {
			return fmt.Errorf("%s is neither a file nor a folder", name)
		}
		content, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name))) //nolint:gosec // In the folder that the configuration names.
		if err != nil {
			return err
		}
		if size += int64(len(content)); size > largestBundle {
			return tooLarge()
		}
		hasEntry = hasEntry || isEntry(name)
		_, _ = fmt.Fprintf(sum, "%s %d\n", name, len(content)) // A hash takes all.
		sum.Write(content)
		file, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
		if err == nil {
			_, err = io.Copy(file, bytes.NewReader(content))
		}
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case !hasEntry:
		return nil, errNoEntry
	}
	err = archive.Close()
	return &bundle{data.Bytes(), hex.EncodeToString(sum.Sum(nil))}, err
}
