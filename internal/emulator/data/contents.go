package data

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// mostContent is how much the contents of all objects have at most.
const mostContent = 64 << 20

// Contents are those of objects, by their hashes: in memory, or in a folder.
type Contents struct {
	// Folder keeps them between runs, empty for nowhere.
	Folder string
	memory map[string][]byte
}

// Get returns one.
func (s *Contents) Get(hash string) ([]byte, error) {
	if s.Folder != "" {
		return os.ReadFile(filepath.Join(s.Folder, hash)) //nolint:gosec // A hash of ours.
	}
	content, known := s.memory[hash]
	if !known {
		return nil, os.ErrNotExist
	}
	return content, nil
}

// Put keeps a content beside those of the sizes that are kept, after those that no object has any more have gone
// where there would be too much.
func (s *Contents) Put(hash string, content []byte, kept map[string]int64) error {
	if _, known := kept[hash]; !known && total(kept)+int64(len(content)) > mostContent {
		return wire.Refuse(http.StatusInsufficientStorage, "the emulator keeps objects of up to %d bytes in all",
			int64(mostContent))
	}
	if _, err := s.Get(hash); err == nil {
		return nil // Whoever wrote it again and ended meanwhile would lose it.
	}
	if s.Folder == "" {
		maps.DeleteFunc(s.memory, func(known string, _ []byte) bool { _, isUsed := kept[known]; return !isUsed })
		if s.memory == nil {
			s.memory = map[string][]byte{}
		}
		s.memory[hash] = slices.Clone(content)
		return nil
	}
	if err := os.MkdirAll(s.Folder, 0o700); err != nil {
		return err
	}
	files, err := os.ReadDir(s.Folder)
	for _, file := range files {
		if _, isUsed := kept[file.Name()]; !isUsed {
			_ = os.Remove(filepath.Join(s.Folder, file.Name())) // It is only in the way of space.
		}
	}
	if err != nil {
		return err
	}
	name := filepath.Join(s.Folder, hash)
	return replaceFile(name, name+draftSuffix, content)
}

func total(sizes map[string]int64) (sum int64) {
	for _, size := range sizes {
		sum += size
	}
	return sum
}
