package postgres

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Settings are what a compute sets of PostgreSQL's, by their names.
type Settings struct {
	// LogicalReplication says that changes can be decoded.
	LogicalReplication bool
	// Asked are those that somebody asked for, whatever they are.
	Asked map[string]string
	// Started is when the compute began to run with them, by the world's clock.
	Started time.Time
}

func (s Settings) equal(other Settings) bool {
	return s.LogicalReplication == other.LogicalReplication && maps.Equal(s.Asked, other.Asked)
}

// arguments are those settings that the server takes: names that any of its users may set, with values
// that they can have. What only its administrator may set could reach beyond the cluster.
func (c *Cluster) arguments(s Settings) []string {
	var all []string
	if s.LogicalReplication {
		all = append(all, "-c", "wal_level=logical")
	}
	for _, name := range slices.Sorted(maps.Keys(s.Asked)) {
		if c.home.takes(name, s.Asked[name]) {
			all = append(all, "-c", name+"="+s.Asked[name])
		}
	}
	return all
}

// takes reports whether any user may set a setting to a value.
func (i *Installation) takes(name, value string) bool {
	key := [2]string{name, value}
	if known, asked := i.taken.Load(key); asked {
		return known == true
	}
	takes := i.userSettings()[name] && !strings.ContainsRune(value, 0) && i.Ready(context.Background()) == nil &&
		i.run(context.Background(), i.program("postgres"), "-D", i.template(), "-C", name, "-c", name+"="+value) == nil
	i.taken.Store(key, takes)
	return takes
}

// settingsTaken remembers what PostgreSQL said of settings.
type settingsTaken struct {
	taken sync.Map
	once  sync.Once
	user  map[string]bool
}

// userSettings are the names of those that any user may set.
func (i *Installation) userSettings() map[string]bool {
	i.once.Do(func() {
		i.user = map[string]bool{}
		output, _ := i.command(context.Background(), i.program("postgres"),
			"--describe-config").Output() // Without it there are none.
		for line := range strings.Lines(string(output)) {
			if fields := strings.Split(line, "\t"); len(fields) > 1 && fields[1] == "user" {
				i.user[fields[0]] = true
			}
		}
	})
	return i.user
}
