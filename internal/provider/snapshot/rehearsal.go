package snapshot

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
	"github.com/seed-a7382548/terraform-provider-neon/internal/sqlscript"
)

const (
	rehearsalPrefix = "restore-rehearsal-"
	// deletionPatience bounds how long the branch's deletion takes, also after an interruption.
	deletionPatience = time.Minute
	// outliving is how long after the last moment of the invocation the branch expires.
	outliving = time.Hour
)

// rehearsal is one invocation of neon_rehearse_restore.
type rehearsal struct {
	rehearseModel

	api *client.Client
	// name is of this rehearsal alone, so that its branch is known again after a lost answer.
	name string
	// life is how long the branch may exist.
	life time.Duration
	// snapshot is what is restored; nil for a moment.
	snapshot *client.Snapshot
	// branch is the restored one; without an id it doesn't exist, as far as is known.
	branch client.Branch
	// rto is how long it took until the data answered, rpo how old the data was when that began, by Neon's clock.
	rto, rpo time.Duration
}

func rehearse(ctx context.Context, api *client.Client, config rehearseModel) (next string, err error) {
	r := &rehearsal{rehearseModel: config, api: api, name: rehearsalPrefix + strings.ToLower(rand.Text()[:10]),
		life: outliving}
	if deadline, isBounded := ctx.Deadline(); isBounded {
		r.life += time.Until(deadline)
	}
	if r.Timestamp.IsNull() {
		if r.snapshot, err = r.chosenSnapshot(ctx); err != nil {
			return "", err
		}
	}
	returned, err := r.play(ctx)
	if err := r.end(ctx, err); err != nil {
		return "", err
	}
	return fmt.Sprintf("A restore of %s works: RTO %s, RPO %s, and the check returned %s. Its branch is deleted, and "+
		"nothing of this shows up in the next plan.",
		r.source(), r.rto, r.rpo, returned), nil
}

// source is what is restored, in words.
func (r *rehearsal) source() string {
	if r.snapshot == nil {
		return fmt.Sprintf("branch %s as of %s", r.BranchID.ValueString(), kit.Instant(r.Timestamp).Format(time.RFC3339))
	}
	return fmt.Sprintf("snapshot %s, named %s", r.snapshot.ID, kit.Quoted(r.snapshot.Name))
}

// moment is when the data was as it is restored.
func (r *rehearsal) moment() time.Time {
	if r.snapshot == nil {
		return *kit.Instant(r.Timestamp)
	}
	return takenAt(*r.snapshot)
}

func takenAt(snapshot client.Snapshot) time.Time {
	return *cmp.Or(snapshot.Timestamp, &snapshot.CreatedAt)
}

// chosenSnapshot is the configured snapshot, else the branch's newest.
func (r *rehearsal) chosenSnapshot(ctx context.Context) (*client.Snapshot, error) {
	ref := r.Branch()
	if kit.IsSet(r.SnapshotID) {
		return r.api.GetSharedSnapshot(ctx, client.SnapshotRef{ProjectID: ref.ProjectID, ID: r.SnapshotID.ValueString()})
	}
	var newest *client.Snapshot
	for snapshot, err := range r.api.ListSnapshots(ctx, ref.ProjectID) {
		if err != nil {
			return nil, err
		}
		if snapshot.SourceBranchID == ref.ID && (newest == nil || takenAt(snapshot).After(takenAt(*newest))) {
			newest = &snapshot
		}
	}
	if newest == nil {
		return nil, kit.Advise(fmt.Errorf("branch %s has no snapshot", ref.ID), "Take one with the action "+
			"neon_create_snapshot, or have neon_branch_backup_schedule take them. A branch that was itself restored from a "+
			"snapshot has another id than the branch whose snapshots there are: name one of those in snapshot_id. Without a "+
			"snapshot, set timestamp.")
	}
	return newest, nil
}

// play restores, connects and checks, and says how it goes. It returns what the check returned.
func (r *rehearsal) play(ctx context.Context) (returned string, err error) {
	began := time.Now()
	client.Say(ctx, "Restores %s, as the branch %s.", r.source(), kit.Quoted(r.name))
	if err := r.restore(ctx); err != nil {
		return "", err
	}
	conn, err := r.connect(ctx)
	if err != nil {
		return "", r.ended(ctx, err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // The branch goes in any case.
	if err := conn.Ping(ctx); err != nil {
		return "", r.ended(ctx, fmt.Errorf("the first query failed: %w", err))
	}
	r.rto, r.rpo = time.Since(began).Round(100*time.Millisecond), r.branch.CreatedAt.Sub(r.moment()).Round(time.Second)
	client.Say(ctx, "RTO: the restored data answered its first query after %s.", r.rto)
	client.Say(ctx, "RPO: the data is of %s, and was %s old when the restore began.",
		r.moment().UTC().Format(time.RFC3339), r.rpo)
	row, err := sqlscript.QueryRow(ctx, conn, r.Check.ValueString())
	if err != nil {
		return "", r.ended(ctx, kit.Advise(fmt.Errorf("the check failed: %w", err), "check must be one statement that "+
			"returns one row. The restore itself worked. Try the statement on the branch that was restored from."))
	}
	texts := make([]string, len(row))
	for i, column := range row {
		texts[i] = column.String()
	}
	returned = strings.Join(texts, ", ")
	client.Say(ctx, "The check returned %s.", returned)
	if !row[0].IsTrue {
		return "", kit.Advise(fmt.Errorf("the check returned %s: its first column isn't true", returned), "The restore "+
			"itself worked, and its data isn't what check wants. To look at that data, restore it yourself: a snapshot with "+
			"neon_restore_snapshot, a moment with a neon_branch and its parent_timestamp.")
	}
	return returned, nil
}

// restore creates the branch, with an endpoint that runs.
func (r *rehearsal) restore(ctx context.Context) error {
	from, writer := r.Branch(), client.EndpointCreate{Type: client.EndpointReadWrite}
	if r.snapshot == nil {
		expires := r.api.Now(ctx).Add(r.life)
		created, err := r.api.CreateBranch(ctx, from.ProjectID, client.BranchCreate{
			Name: r.name, ParentID: from.ID, ParentTimestamp: kit.Instant(r.Timestamp), ExpiresAt: &expires,
			Endpoints: []client.EndpointCreate{writer},
		})
		if err != nil {
			return err
		}
		r.branch = created.Object.Branch
		return r.api.WaitForOperations(ctx, from.ProjectID, created.Operations)
	}
	restored, err := r.api.RestoreSnapshot(ctx, client.SnapshotRef{ProjectID: from.ProjectID, ID: r.snapshot.ID},
		client.SnapshotRestore{TargetBranchID: from.ID, Name: r.name})
	if err != nil {
		return err
	}
	r.branch = restored.Object
	r.expire(ctx)
	if err := r.api.WaitForOperations(ctx, from.ProjectID, restored.Operations); err != nil {
		return err
	}
	endpoints, err := client.All(r.api.ListEndpoints(ctx, r.ref()))
	if err != nil || len(endpoints) > 0 {
		return err
	}
	made, err := r.api.CreateEndpoint(ctx, r.ref(), writer)
	if err != nil {
		return err
	}
	return r.api.WaitForOperations(ctx, from.ProjectID, made.Operations)
}

// expire has the restored branch expire, which the restore of a snapshot can't be asked for. Without an expiry the
// rehearsal goes on: its end deletes the branch in any case.
func (r *rehearsal) expire(ctx context.Context) {
	expires := r.branch.CreatedAt.Add(r.life)
	updated, err := client.ObjectOf(r.api.UpdateBranch(ctx, r.ref(), client.BranchUpdate{ExpiresAt: &expires}))
	if err != nil {
		client.Say(ctx, "Branch %s doesn't expire: %v.", r.branch.ID, err)
		return
	}
	r.branch.ExpiresAt = updated.ExpiresAt
}

func (r *rehearsal) ref() client.BranchRef {
	return client.BranchRef{ProjectID: r.ProjectID.ValueString(), ID: r.branch.ID}
}

// connect connects to the restored database. No error holds the connection string or the password.
func (r *rehearsal) connect(ctx context.Context) (*pgx.Conn, error) {
	direct, err := r.api.GetConnectionURI(ctx, r.ProjectID.ValueString(), client.ConnectionURIQuery{
		BranchID: r.branch.ID, DatabaseName: r.DatabaseName.ValueString(), RoleName: r.RoleName.ValueString(),
	})
	if err != nil {
		return nil, kit.Advise(fmt.Errorf("how to connect to the restored branch can't be read: %w", err),
			"Check database_name and role_name: both must be in what is restored.")
	}
	if at, err := url.Parse(direct); err == nil && at.Port() == "" && strings.HasSuffix(at.Hostname(), ".localhost") {
		return nil, kit.Advise(fmt.Errorf("the branch was restored, but its database %s isn't served",
			kit.Quoted(r.DatabaseName.ValueString())),
			"The host "+at.Hostname()+" is an emulator's, which has databases only where PostgreSQL is installed.")
	}
	conn, err := sqlscript.Connect(ctx, direct)
	if err != nil {
		return nil, kit.Advise(fmt.Errorf("the branch was restored, but its database can't be connected to: %w", err),
			"The machine that runs Terraform must reach the database's port 5432: look at firewalls, and at allowed_ips and "+
				"block_public_connections of the project.")
	}
	return conn, nil
}

// ended is an error in place of one that only says that the time was up, or that the run was interrupted.
func (r *rehearsal) ended(ctx context.Context, err error) error {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return kit.Advise(errors.New("the time for the rehearsal was up: "+err.Error()), "Raise timeouts.invoke if the "+
			"restore or the check only takes long.")
	case ctx.Err() != nil:
		return kit.Advise(errors.New("the rehearsal was interrupted"), "Invoke the action again, which does no harm.")
	}
	return err
}

// end deletes the branch, also after an interruption, and adds to the error what became of it.
func (r *rehearsal) end(ctx context.Context, err error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), deletionPatience)
	defer cancel()
	if isDoubtful(err) && r.branch.ID == "" {
		found, findErr := r.api.GetBranchByName(ctx, r.ProjectID.ValueString(), r.name)
		if found == nil {
			return fmt.Errorf("%w.\n\nIf a branch named %q is there nevertheless, or comes to be, delete it%s", err, r.name,
				because(findErr))
		}
		r.branch = *found
	}
	if r.branch.ID == "" {
		return err
	}
	called := fmt.Sprintf("%s (%s)", kit.Quoted(r.name), r.branch.ID)
	operations, deletion := r.api.DeleteBranch(ctx, r.ref())
	deletion = kit.Finish(ctx, r.api, r.ProjectID.ValueString(), operations, deletion)
	switch {
	case client.IsAbsent(deletion), deletion == nil && err == nil:
		client.Say(ctx, "Deleted the branch %s.", called)
		return err
	case deletion == nil:
		return fmt.Errorf("%w.\n\nThe branch of the rehearsal, %s, was deleted", err, called)
	}
	howTo := fmt.Sprintf("Delete it in the web console, or with: neonctl branches delete %s --project-id %s", r.branch.ID,
		r.ProjectID.ValueString())
	if at := r.branch.ExpiresAt; at != nil {
		howTo += fmt.Sprintf(". If nobody does, Neon deletes it at %s", at.UTC().Format(time.RFC3339))
	}
	if err == nil {
		return kit.Advise(fmt.Errorf("the restore works, and the check is true, but the branch of the rehearsal, %s, could "+
			"not be deleted: %w", called, deletion), howTo+".")
	}
	return fmt.Errorf("%w.\n\nThe branch of the rehearsal, %s, could not be deleted: %s. %s", err, called,
		deletion.Error(), howTo)
}

// isDoubtful reports whether the branch may have been created nevertheless.
func isDoubtful(err error) bool {
	return kit.Is[*client.AmbiguousError](err) || kit.Is[*client.EndedError](err)
}

func because(err error) string {
	if err == nil {
		return ""
	}
	return fmt.Sprintf(". It could not be looked for: %v", err)
}
