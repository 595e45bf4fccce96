package postgres

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"
)

// Mark is the file by which a folder is known as ours: no other is ever removed.
const Mark = ".neon-emulator"

// lockName is the file that is locked while anything uses a folder.
const lockName = "in-use"

// Keep has clusters keep their files in a folder, which nobody else may use. It waits for
// the servers of an earlier run, which end a moment after that was killed.
func (i *Installation) Keep(ctx context.Context, folder string) error {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o711); err != nil { //nolint:gosec // The account of the servers must get to its own.
		return err
	}
	if err := i.as.own(folder); err != nil {
		return err
	}
	if err := i.run(ctx, "/bin/sh", "-c", `cd "$1" && [ -w . ]`, "sh", folder); err != nil {
		return fmt.Errorf("the account that PostgreSQL runs as can't use %s; choose a folder that it can get to: %w",
			folder, err)
	}
	file, err := os.OpenFile(filepath.Join(folder, lockName), os.O_CREATE|os.O_RDWR, 0o600) //nolint:gosec // It is named by who starts the emulator.
	if err != nil {
		return err
	}
	for deadline := time.Now().Add(stopPatience); !lock(file); time.Sleep(startInterval) {
		if time.Now().After(deadline) || ctx.Err() != nil {
			_ = file.Close() // It was only waited for.
			return fmt.Errorf("servers of an earlier run still use %s after %s", folder, stopPatience)
		}
	}
	i.kept, i.inUse = folder, file
	return nil
}

// Open returns a cluster that was kept.
func (i *Installation) Open(name string) (*Cluster, error) {
	files := filepath.Join(i.kept, name)
	written, err := os.ReadFile(filepath.Join(files, "data", "PG_VERSION")) //nolint:gosec // It is in a folder of ours.
	if err == nil {
		i, err = i.opener(files, string(written))
	}
	if err != nil {
		return nil, err
	}
	c := &Cluster{home: i, folder: i.newFolder(), files: files}
	return c, i.createFolder(c.folder)
}

// clusterName is the form of the names of kept clusters (rand.Text).
var clusterName = regexp.MustCompile("^[A-Z2-7]{26}$")

// Forget removes the kept clusters but those with these names. Whatever hasn't a cluster's name
// and our mark is left alone.
func (i *Installation) Forget(but []string) error {
	entries, err := os.ReadDir(i.kept)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		folder := filepath.Join(i.kept, entry.Name())
		if !entry.IsDir() || !clusterName.MatchString(entry.Name()) || slices.Contains(but, entry.Name()) {
			continue
		}
		if _, err := os.Lstat(filepath.Join(folder, Mark)); err != nil {
			_ = os.Remove(folder) // One that was just being created is empty; any other stays.
			continue
		}
		if err := os.RemoveAll(folder); err != nil {
			return err
		}
	}
	return nil
}

// Name is that of a kept cluster.
func (c *Cluster) Name() string { return filepath.Base(c.files) }
