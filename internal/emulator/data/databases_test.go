package data

import (
	"context"
	"errors"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// changingWorld has a branch or not, and everything else as if there were nothing.
type changingWorld struct{ hasBranch atomic.Bool }

func (w *changingWorld) Now() time.Time      { return time.Now() }
func (w *changingWorld) Version(string) int  { return 0 }
func (w *changingWorld) HasData(string) bool { return w.hasBranch.Load() }
func (w *changingWorld) FindLogin(postgres.Login) (postgres.Target, error) {
	return postgres.Target{}, postgres.ErrNoEndpoint
}
func (w *changingWorld) LoginOver(postgres.Login) bool { return true }
func (w *changingWorld) Adopt(string, postgres.Contents, []string, func() (postgres.Contents, bool)) error {
	return nil
}

// Clients wait for the databases to be served: before that, nobody else knows of them.
func TestDatabases_letNobodyInEarly(t *testing.T) {
	t.Parallel()
	d, err := Open(Options{Host: "127.0.0.1"}, &changingWorld{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	conn, err := net.Dial("tcp", d.Gateway().Address().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.Write([]byte{0, 0, 0, 8, 4, 210, 22, 47}); err != nil { // May it speak TLS?
		t.Fatal(err)
	}
	answer := make([]byte, 1)
	_ = conn.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	if _, err := conn.Read(answer); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a client is answered %q, %v", answer, err)
	}
	d.Serve()
	_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := conn.Read(answer); err != nil || answer[0] != 'S' {
		t.Errorf("a client is answered %q, %v", answer, err)
	}
}

// A sweep finds out which data there is before which branches there are, so that it keeps the data
// of a branch that is created in between.
func TestDatabasesAreKept_createdMeanwhile(t *testing.T) {
	t.Parallel()
	w := &changingWorld{}
	gateway, err := postgres.Listen(t.Context(), "127.0.0.1", 0, "", w.Now, w.FindLogin, w.LoginOver)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = gateway.Close() }()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	d, swept := &Databases{world: w, gateway: gateway, ctx: ctx, stop: stop, stores: map[string]*store{}},
		make(chan struct{})
	d.mu.Lock()
	go func() {
		defer close(swept)
		d.Sweep()
	}()
	time.Sleep(50 * time.Millisecond) // One that looked for branches first would have done so.
	const id = "br-created-meanwhile"
	created := newStore(d.ctx, &d.tasks)
	created.cluster.resolve(nil, errors.New("it has no cluster"))
	w.hasBranch.Store(true)
	d.stores[id] = created
	d.mu.Unlock()
	<-swept
	if d.current(id) != created {
		t.Error("the data of the branch is removed")
	}
}

// What has expired is removed while a look for changes waits for a server that doesn't answer.
func TestDatabasesAreSwept_whileOneLooks(t *testing.T) {
	t.Parallel()
	w := &changingWorld{}
	gateway, err := postgres.Listen(t.Context(), "127.0.0.1", 0, "", w.Now, w.FindLogin, w.LoginOver)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	d := &Databases{world: w, gateway: gateway, ctx: ctx, stop: stop, stores: map[string]*store{}}
	d.looking.Lock()
	d.watch()
	for _, id := range []string{"br-gone", "br-gone-later"} {
		expired := newStore(ctx, &d.tasks)
		expired.cluster.resolve(nil, errors.New("it has no cluster"))
		d.mu.Lock()
		d.stores[id] = expired
		d.mu.Unlock()
		for deadline := time.Now().Add(time.Minute); d.current(id) != nil; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Error("the data stays of " + id)
				break
			}
		}
	}
	d.looking.Unlock()
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// The first look at what a folder keeps starts few servers at once, and leaves none of them running.
func TestDatabasesAreLookedAt_fewAtOnce(t *testing.T) {
	t.Parallel()
	programs, err := postgres.FindPrograms(t.Context())
	if errors.Is(err, postgres.ErrNoPrograms) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	installation, err := postgres.Prepare(t.Context(), programs)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := installation.Close(); err != nil {
			t.Error(err)
		}
	}()
	d := &Databases{world: &changingWorld{}, ctx: t.Context(), stores: map[string]*store{}}
	var clusters []*postgres.Cluster
	for _, id := range []string{"br-a", "br-b", "br-c", "br-d", "br-e", "br-f"} {
		cluster, err := installation.Create(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		clusters = append(clusters, cluster)
		d.stores[id] = d.reopened(cluster, keptStore{})
	}
	looked := make(chan struct{})
	go func() {
		defer close(looked)
		d.Look(t.Context())
	}()
	for isLooking := true; isLooking; {
		select {
		case <-looked:
			isLooking = false
		case <-time.After(time.Millisecond):
		}
		running := 0
		for _, cluster := range clusters {
			if cluster.Running() {
				running++
			}
		}
		if running > mostLooks || running > 0 && !isLooking {
			t.Errorf("%d servers run, while looking: %t", running, isLooking)
		}
	}
	for id := range d.stores {
		if d.current(id).snapshot == "" {
			t.Errorf("nobody looked at %s", id)
		}
	}
}

// Whoever asks when data has changed that is being copied gets an answer; the race detector says whether that is one.
func TestStore_changedWhileCopied(t *testing.T) {
	t.Parallel()
	ended := &postgres.Cluster{}
	if err := ended.End(); err != nil {
		t.Fatal(err)
	}
	var tasks sync.WaitGroup
	from, to := newStore(t.Context(), &tasks), newStore(t.Context(), &tasks)
	from.changed = time.Now()
	from.cluster.resolve(ended, nil)
	tasks.Go(func() { to.changedAt() })
	if err := to.fill(from, Copy{}); err == nil {
		t.Error("a cluster that has ended was copied")
	}
	tasks.Wait()
	if !to.changedAt().Equal(from.changed) {
		t.Errorf("the copy has changed at %s, and its source at %s", to.changedAt(), from.changed)
	}
}
