package kit

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// Resource describes a managed resource whose life is the usual one. M is its model: a
// struct with the schema's attributes in tfsdk tags.
type Resource[M any] struct {
	Name     string // what follows neon_
	Called   string // what messages call its objects; empty for the name, as words
	ListedBy string // the data source that lists the ids, by what follows neon_; empty for none
	Key      Key
	Schema   schema.Schema
	// MovedFrom are the types of other providers for Neon whose states a moved block can bring here, by the namespace and
	// type of the provider's address: its host doesn't matter, as registries carry the same providers. Any version of
	// their schemas is taken, since only ids and keys are read.
	MovedFrom map[string]string
	// MovedTexts are the attributes that a moved resource keeps besides the key, since no read returns them.
	MovedTexts []string
	// First are the attributes in version 0 of this provider's states, separated by blanks; empty if there was none.
	// Terraform writes all attributes of a schema, so a state has each of them.
	First string
	// Renamed maps former names of attributes to the present ones; a dot leads into an object. If an attribute of the
	// key is renamed, the key's Version rises.
	Renamed map[string]string
	// Holds names what Neon deletes for good with the object, such as "the database and all its data"; empty if nothing
	// is lost. The schema then has [DeletionProtection], and ReplacedBy names the attributes whose change replaces the
	// object, besides those that Plan decides.
	Holds      string
	ReplacedBy []string
	// IsExclusive is true if Neon refuses a second object with the same key. A plan then checks, before it creates or
	// replaces an object, that the key is free.
	IsExclusive bool
	// IsReadAlone is true if each object is read by its own requests, too many for the plan of a creation.
	IsReadAlone bool
	// IsInherited reports whether a branch has the object only from its parent, so that a creation takes it over; nil
	// if objects aren't inherited.
	IsInherited func(ctx context.Context, api *client.Client, place M) (bool, error)
	// Remembers is the text attribute whose first value the private state keeps, so that Plan recognizes changes made
	// elsewhere; empty for none. See [Planning.Remembered].
	Remembers string
	// Recalls are the attributes for which the private state keeps whether they, and which of their members, were
	// configured last. See [NoLongerConfigured], [Planning.PlanLeftAlone] and [IsCreatedHere].
	Recalls []string
	// Replaced describes the result of a replacement; by default, a new object without what Holds names.
	Replaced string
	// SaysLoss is true if Plan names what a replacement loses, or refuses one that would lose anything.
	SaysLoss bool
	// Protects is the path of the object whose "protected" protects, on Neon, the branch with its "id"; nil for none.
	// In Delete, [OwnProtected] reports whether this resource set the protection.
	Protects *path.Path
	// Final explains why destroying the object can't be undone; empty if it can. A plan that destroys it then warns.
	Final string
	// FindAgain returns the same object on the branch that has replaced the state's branch; IsAbsent holds for its
	// error if there is none. A resource with FindAgain moves along in place, and its branch_id is a FollowedBranch.
	FindAgain func(ctx context.Context, run Run, state M, branchID types.String) (M, error)
	// GoesAlong is true if a restore can move the object from the replaced branch to its replacement.
	GoesAlong bool
	// HasSuccessors is true if Read may return another object, which has taken the place of the one in the state.
	HasSuccessors bool
	// IsSole is true if only one branch at a time can have the object: a move then deletes it before it creates it
	// again.
	IsSole bool
	// Patience bounds what a change waits for where nothing is configured; 0 for [DefaultTimeout].
	Patience time.Duration

	// Plan checks or completes a plan, including that of a destruction; nil if there is nothing to add. The ids of
	// project and branch are looked up before.
	Plan func(ctx context.Context, p Planning)
	// Create creates the object. It calls save as soon as the object exists, before it waits for anything, so that no
	// failure loses it. It returns [client.ErrTaken] if an object with the same key exists.
	Create func(ctx context.Context, run Run, plan M, save func(M)) error
	// Read returns the object as it is now. An error for which client.IsAbsent holds
	// removes it from the state. After an import only the key is known.
	Read func(ctx context.Context, run Run, state M) (M, error)
	// Update changes the object in place, and calls save with the changes; nil if every change replaces the object or
	// concerns the state alone.
	Update func(ctx context.Context, run Run, state, plan M, save func(M)) error
	// Delete deletes the object. One that is gone already is no error.
	Delete func(ctx context.Context, run Run, state M) error
}

// NewResource returns the resource that spec describes.
func NewResource[M any](spec Resource[M]) resource.Resource {
	return &managed[M]{ResourceBase{Name: spec.Name}, spec}
}

var (
	_ resource.ResourceWithConfigure       = (*managed[any])(nil)
	_ resource.ResourceWithIdentity        = (*managed[any])(nil)
	_ resource.ResourceWithImportState     = (*managed[any])(nil)
	_ resource.ResourceWithModifyPlan      = (*managed[any])(nil)
	_ resource.ResourceWithMoveState       = (*managed[any])(nil)
	_ resource.ResourceWithUpgradeIdentity = (*managed[any])(nil)
	_ resource.ResourceWithUpgradeState    = (*managed[any])(nil)
)

type managed[M any] struct {
	ResourceBase

	spec Resource[M]
}

func (r *managed[M]) Metadata(ctx context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	r.ResourceBase.Metadata(ctx, req, resp)
	resp.ResourceBehavior.MutableIdentity = r.spec.FindAgain != nil || r.spec.HasSuccessors
}

func (r *managed[M]) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = r.spec.Schema
	resp.Schema.Version = SchemaVersion()
}

func (r *managed[M]) ModifyPlan(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	p := r.Planning(req, resp)
	if r.RefusesUnread(p) {
		return
	}
	r.manages(p.State)
	r.checkParents(ctx, p)
	moves := r.planBranch(ctx, p)
	if r.spec.IsExclusive && !p.IsCreation() { // What is refused here needs no warnings of what it would lose.
		r.checkPlace(ctx, p)
	}
	if r.spec.Plan != nil {
		r.spec.Plan(ctx, p)
	}
	r.planKey(ctx, p)
	if r.spec.IsExclusive && p.IsCreation() && !r.spec.IsReadAlone {
		r.checkFree(ctx, p)
	}
	if r.spec.Holds != "" && !moves && !p.Diags.HasError() {
		r.checkDestruction(ctx, p)
	}
	if r.spec.Holds != "" {
		r.protection().MarkPlanned(ctx, p)
	}
}

// countedMark is in the private state of an object that a plan counts where it stays. Terraform hands that on to the
// plan of what replaces it by force, which is not to be counted again.
const countedMark = "counted"

// planKey records the key of an object that is created or renamed, and warns if another resource of the plan has the
// same key. A replacement is recorded when Terraform plans its creation.
func (r *managed[M]) planKey(ctx context.Context, p Planning) {
	if p.IsDestruction() {
		return
	}
	key := r.spec.Key.values(p.Answer.Plan.Raw)
	isNew, stays := p.IsCreation(), p.IsUnchanged()
	if !stays {
		r.Names(r.noun(), key...)
	}
	_, isCounted := MarkOf[bool](ctx, p.Private, countedMark)
	isRenamed := !isNew && !slices.Equal(key, r.spec.Key.values(p.State.Raw)) && !p.replacesBy(ctx, r.replacing())
	if !r.spec.Key.valid(key) || isNew && isCounted || !isNew && !stays && !isRenamed {
		return
	}
	if !isNew {
		SetMark(ctx, p.Private, countedMark, true, p.Diags)
	}
	p.WarnOfTwo(r.noun(), r.configuredKey(), key...)
}

// manages notes an object that the state has, for the plan of another of its key.
func (r *managed[M]) manages(state tfsdk.State) {
	if !state.Raw.IsNull() {
		r.Manages(r.spec.Name, r.spec.Key.values(state.Raw)...)
	}
}

func (r *managed[M]) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan M
	run := r.begin(ctx, req.Plan, &plan, &resp.Diagnostics)
	ctx, cancel := r.limit(ctx, req.Plan, timeouts.Value.Create, &resp.Diagnostics)
	defer cancel()
	if !resp.Diagnostics.HasError() {
		r.checkNewParents(ctx, req.Plan, &resp.Diagnostics)
		r.createsOnce(req.Plan, &resp.Diagnostics)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	run.config, run.Private = req.Config, resp.Private
	err := r.create(ctx, run, req.Plan, plan, r.saver(ctx, &resp.State, resp.Identity, &resp.Diagnostics))
	switch {
	case err == nil:
		keepPlanned(req.Plan, &resp.State)
	case isKept(err):
		err = keepUnfinished(req.Plan, resp, r.called(resp.State.Raw), err)
	}
	r.markProtected(ctx, resp.State, resp.Private, &resp.Diagnostics)
	r.remember(ctx, resp.State, resp.Private, &resp.Diagnostics)
	r.recall(ctx, req.Config, applied{IsCreated: true}, err != nil, resp.Private, &resp.Diagnostics)
	r.markOwnProtection(ctx, req.Config, resp.State, resp.Private, &resp.Diagnostics)
	hints, err := r.explain(ctx, req, resp, err)
	r.reportWrite("create", req.Config, err, &resp.Diagnostics, hints...)
}

// createsOnce refuses to create an object twice in one run. Where Neon would update the present object instead of
// refusing, two resources would undo each other's settings at each apply.
func (r *managed[M]) createsOnce(plan tfsdk.Plan, diags *diag.Diagnostics) {
	key := r.spec.Key.values(plan.Raw)
	if !r.spec.Key.valid(key) { // Neon assigns it.
		return
	}
	if !r.begins(r.spec.Name, strings.Join(key, "/")) {
		summary, detail := twoForOne(r.noun(), key)
		diags.AddAttributeError(r.configuredKey(), summary, detail)
	}
}

func (r *managed[M]) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	r.spec.Key.Identify(ctx, req.State.Raw, resp.Identity, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || r.KeepsUnread(&resp.Diagnostics, r.wasRead(req.State), ControlSettings) {
		return
	}
	r.manages(req.State)
	state := decoded[M](ctx, req.State, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || r.Control(&resp.Diagnostics) == nil {
		return
	}
	run := r.Run(&resp.Diagnostics)
	run.Private = resp.Private
	actual, err := r.spec.Read(ctx, run, state)
	isImport := IsImport(ctx, resp.Private)
	if isImport {
		SetMark(ctx, resp.Private, importedMark, nil, &resp.Diagnostics)
	}
	switch {
	case client.IsAbsent(err) && isImport:
		AddMissingImport(&resp.Diagnostics, r.noun(), err)
	case client.IsAbsent(err):
		if !r.awaitsMove(ctx, run, req.State, state, &resp.Diagnostics) {
			resp.State.RemoveResource(ctx)
			ForgetMarks(ctx, resp.Private, &resp.Diagnostics)
		}
	case err != nil && isImport: // There is nothing to take out of the state.
		AddError(&resp.Diagnostics, "Unable to read "+r.noun(), err)
	case err != nil:
		r.report("read", err, &resp.Diagnostics)
	default:
		if reflect.DeepEqual(actual, state) { // Most objects of a plan are as they were, and writing a state is slow.
			r.noteSaved(resp.State.Raw)
		} else {
			r.saver(ctx, &resp.State, resp.Identity, &resp.Diagnostics)(actual)
			if keepsUnanswered(r.noun(), req.State, &resp.State, &resp.Diagnostics) {
				return
			}
		}
		r.markProtected(ctx, resp.State, resp.Private, &resp.Diagnostics)
		r.remember(ctx, resp.State, resp.Private, &resp.Diagnostics)
		r.moveOwnProtection(ctx, req.State, resp.State, resp.Private, &resp.Diagnostics)
	}
}

func (r *managed[M]) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan M
	state := ModelOf[M](ctx, req.State, &resp.Diagnostics)
	run := r.begin(ctx, req.Plan, &plan, &resp.Diagnostics)
	ctx, cancel := r.limit(ctx, req.Plan, timeouts.Value.Update, &resp.Diagnostics)
	defer cancel()
	if resp.Diagnostics.HasError() {
		return
	}
	run.config, run.Private, run.IsMove = req.Config, resp.Private, r.isMove(ctx, req, &resp.Diagnostics)
	save := r.saver(ctx, &resp.State, resp.Identity, &resp.Diagnostics)
	var isDone bool
	var err error
	if run.IsMove {
		state, isDone, err = r.move(ctx, run, req.Plan, state, plan, save)
	}
	switch {
	case isDone:
	case r.spec.Update == nil:
		save(plan)
	default:
		err = r.spec.Update(ctx, run, state, plan, save)
	}
	if err == nil {
		keepPlanned(req.Plan, &resp.State)
	}
	r.markProtected(ctx, resp.State, resp.Private, &resp.Diagnostics)
	r.remember(ctx, resp.State, resp.Private, &resp.Diagnostics)
	r.recall(ctx, req.Config, recalled(ctx, req.Private), err != nil, resp.Private, &resp.Diagnostics)
	r.markOwnProtection(ctx, req.Config, resp.State, resp.Private, &resp.Diagnostics)
	r.reportWrite("update", req.Config, AdviseGone(err), &resp.Diagnostics)
}

// AdviseGone says what to do about an object that the plan of an update found, and the update doesn't.
func AdviseGone(err error) error {
	if !client.IsAbsent(err) || isAdvised(err) {
		return err
	}
	return Advise(err, "If it was deleted after this was planned, apply again: the next plan reads what there is. "+
		adviceFor(err))
}

// keepPlanned has a state as it was planned, whatever the answer lacks or somebody has made of it since: Terraform
// takes nothing else for what an apply comes to, and the next refresh sees it.
func keepPlanned(plan tfsdk.Plan, state *tfsdk.State) {
	var planned, saved map[string]tftypes.Value
	if state.Raw.IsNull() || plan.Raw.As(&planned) != nil || state.Raw.As(&saved) != nil {
		return
	}
	saved = maps.Clone(saved)
	for name, value := range planned {
		if value.IsFullyKnown() {
			saved[name] = value
		}
	}
	state.Raw = tftypes.NewValue(state.Raw.Type(), saved)
}

func (r *managed[M]) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state M
	run := r.begin(ctx, req.State, &state, &resp.Diagnostics)
	ctx, cancel := r.limit(ctx, req.State, timeouts.Value.Delete, &resp.Diagnostics)
	defer cancel()
	if r.spec.Holds != "" {
		r.protection().Keeps(ctx, req.State, &resp.Diagnostics)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	run.Private = resp.Private
	key := r.spec.Key.values(req.State.Raw)
	called := key[len(key)-1]
	if r.protection().HasName {
		called += " (" + textOf(req.State.Raw, "name") + ")"
	}
	r.report("delete", r.spec.Delete(ctx, run, state), &resp.Diagnostics, called)
}

// markProtected remembers that the object is protected, where it can be.
func (r *managed[M]) markProtected(
	ctx context.Context, state tfsdk.State, private PrivateState, diags *diag.Diagnostics,
) {
	if r.spec.Holds != "" {
		r.protection().Mark(ctx, state, private, diags)
	}
}

// begin reads the model and returns the run; an empty one where there is an error.
func (r *managed[M]) begin(ctx context.Context, from source, model any, diags *diag.Diagnostics) Run {
	if diags.Append(from.Get(ctx, model)...); diags.HasError() || r.Control(diags) == nil {
		return Run{}
	}
	return r.Run(diags)
}

// source is a plan or a state.
type source interface {
	object
	Get(ctx context.Context, target any) diag.Diagnostics
}

// limit bounds what a change waits for.
func (r *managed[M]) limit(
	ctx context.Context, from object,
	kind func(timeouts.Value, context.Context, time.Duration) (time.Duration, diag.Diagnostics), diags *diag.Diagnostics,
) (context.Context, context.CancelFunc) {
	var configured timeouts.Value // Without timeouts in the schema, the default.
	if _, configurable := r.spec.Schema.Attributes["timeouts"]; configurable {
		diags.Append(from.GetAttribute(ctx, path.Root("timeouts"), &configured)...)
	}
	return Limit(ctx, cmp.Or(r.spec.Patience, DefaultTimeout),
		func(ctx context.Context, standard time.Duration) (time.Duration, diag.Diagnostics) {
			return kind(configured, ctx, standard)
		}, diags)
}

// saver returns the function that puts a model and its identity into the state.
func (r *managed[M]) saver(
	ctx context.Context, state *tfsdk.State, identity *tfsdk.ResourceIdentity, diags *diag.Diagnostics,
) func(M) {
	ctx = context.WithoutCancel(ctx) // What exists is saved however the change ends.
	return func(model M) {
		diags.Append(state.Set(ctx, &model)...)
		state.Raw = withoutUnknown(state.Raw)
		r.spec.Key.Identify(ctx, state.Raw, identity, diags)
		r.noteSaved(state.Raw)
	}
}

// noteSaved notes that this run has read or created an object; see IsSaved.
func (r *managed[M]) noteSaved(state tftypes.Value) {
	r.note("saved", r.spec.Name, r.spec.Key.values(state)...)
}

// withoutUnknown has null for what an answer lacked, which the next refresh reads: Terraform takes nothing unknown
// after an apply.
func withoutUnknown(state tftypes.Value) tftypes.Value {
	if state.IsFullyKnown() {
		return state
	}
	known, err := tftypes.Transform(state, func(_ *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
		if !value.IsKnown() {
			value = tftypes.NewValue(value.Type(), nil)
		}
		return value, nil
	})
	if err != nil {
		return state
	}
	return known
}

// report adds an error, with the name of the object where Terraform shows no resource, as in a deletion.
func (r *managed[M]) report(verb string, err error, diags *diag.Diagnostics, name ...string) {
	if err != nil {
		summary := strings.Join(append([]string{"Unable to", verb, r.noun()}, name...), " ")
		AddError(diags, summary, err, UnseenHints(err, "neon_"+r.Name)...)
	}
}

// reportWrite is report for a write of what is configured.
func (r *managed[M]) reportWrite(
	verb string, config tfsdk.Config, err error, diags *diag.Diagnostics, hints ...string,
) {
	summary := "Unable to " + verb + " " + r.noun()
	switch {
	case err == nil:
	case Is[*blamedError](err):
		AddError(diags, summary, err, hints...)
	case Is[*existsError](err):
		diags.AddAttributeError(r.configuredKey(), summary, Describe(err, nil))
	case len(hints) > 0: // The key is taken, which ends with the name.
		diags.AddAttributeError(path.Root(r.lastPart()), summary, Describe(err, hints))
	default:
		AddConfigError(diags, config, summary, err, UnseenHints(err, "neon_"+r.Name)...)
	}
}

// takenHints says how an object that has the planned key already is taken in; nothing
// where Neon assigns the key.
func (r *managed[M]) takenHints(plan tfsdk.Plan) []string {
	values := r.spec.Key.values(plan.Raw)
	if !r.spec.Key.valid(values) {
		return nil
	}
	taken := fmt.Sprintf("There is a %[1]s %[2]s already. If another resource of this configuration has that name, "+
		"choose another: importing it here too would have two resources manage one %[1]s.", r.noun(),
		Quoted(values[len(values)-1]))
	if r.lastPart() != "name" { // It is one of a branch or of a database, and has no name of its own.
		taken = fmt.Sprintf("%s %s is there already. If another resource of this configuration manages it too, remove one "+
			"of them.", r.noun(), strings.Join(values, "/"))
	}
	return []string{taken + " Otherwise, for instance after an interrupted run or with the state lost, " +
		ImportIt("neon_"+r.Name, values...)}
}
