package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// versions are the installations for other versions of PostgreSQL than the first one's.
type versions struct {
	mu       sync.Mutex
	prepared map[int]*Installation
	folders  func() map[int]string
}

// AllVersions has an installation also use the programs of other versions on this machine, each for the projects of
// its version.
func (i *Installation) AllVersions(ctx context.Context) {
	ctx = context.WithoutCancel(ctx) // They are looked for when a project wants one.
	i.others.folders = sync.OnceValue(func() map[int]string {
		found := map[int]string{majorOf(i.Version): i.Programs}
		for _, folder := range candidates(ctx) {
			if folder == i.Programs || CheckPrograms(folder) != nil {
				continue
			}
			number, err := version(ctx, folder)
			if _, known := found[majorOf(number)]; err == nil && !known {
				found[majorOf(number)] = folder
			}
		}
		return found
	})
}

func majorOf(number string) int {
	text, _, _ := strings.Cut(number, ".")
	major, _ := strconv.Atoi(strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz")) // Such as 19beta1.
	return major
}

// Major is the version whose programs a project of a version gets: its own where this machine has them.
func (i *Installation) Major(wanted int) int {
	if own := majorOf(i.Version); own == wanted || i.others.folders == nil || i.others.folders()[wanted] == "" {
		return own
	}
	return wanted
}

// of is the installation for projects of a version, which is prepared when it is first asked for.
func (i *Installation) of(ctx context.Context, wanted int) (*Installation, error) {
	major := i.Major(wanted)
	if major == majorOf(i.Version) {
		return i, nil
	}
	i.others.mu.Lock()
	defer i.others.mu.Unlock()
	if other := i.others.prepared[major]; other != nil {
		return other, nil
	}
	other, err := Prepare(ctx, i.others.folders()[major])
	if err != nil {
		return nil, err
	}
	other.kept, other.inUse = i.kept, i.inUse
	if i.others.prepared == nil {
		i.others.prepared = map[int]*Installation{}
	}
	i.others.prepared[major] = other
	return other, nil
}

// CreateFor creates an empty cluster for a project of a version.
func (i *Installation) CreateFor(ctx context.Context, wanted int) (*Cluster, error) {
	own, err := i.of(ctx, wanted)
	if err != nil {
		return nil, err
	}
	return own.Create(ctx)
}

// opener is the installation for data that a version has written.
func (i *Installation) opener(files, written string) (*Installation, error) {
	by := majorOf(strings.TrimSpace(written))
	if i.Major(by) != by {
		return nil, fmt.Errorf("%s was written by PostgreSQL %d, and this is %s; name the folder of its programs", files, by,
			i.Version)
	}
	return i.of(context.Background(), by)
}

// close closes what was prepared of other versions. The file in use is the first one's.
func (v *versions) close() (err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, other := range v.prepared {
		other.inUse = nil
		err = errors.Join(err, other.Close())
	}
	return err
}
