// Package kit is what the nouns of the provider have in common.
//
// A noun describes itself with a [Resource], an [ObjectSource], a [ListSource], a [ListResource], an [Ephemeral] or an
// [Action], and has the Terraform side done for it. The whole of a resource:
//
//	func NewResource() resource.Resource {
//		return kit.NewResource(kit.Resource[model]{
//			Name: "thing",                     // neon_thing
//			Key: kit.KeyInProject("A thing", "7", // its import id and its identity: project_id/id
//				kit.KeyPart{Name: "id", Description: idText, Valid: kit.IsID("id")}),
//			Schema: schema.Schema{
//				MarkdownDescription: "Something in a project.",
//				Attributes: map[string]schema.Attribute{
//					"project_id": kit.ImmutableString(projectText, kit.IDValidators()...), // says that a change replaces
//					"name":       schema.StringAttribute{MarkdownDescription: "Name, changed in place.", Required: true},
//					"id":         kit.ComputedString(idText),
//					"timeouts":   kit.Timeouts(timeouts.Opts{Create: true, Update: true, Delete: true}),
//				},
//			},
//			Create: func(ctx context.Context, run kit.Run, plan model, save func(model)) error {
//				created, err := run.API.CreateThing(ctx, plan.ProjectID.ValueString(), plan.Name.ValueString())
//				if err != nil {
//					return err // becomes "Unable to create thing", with what Neon said and what to do
//				}
//				save(plan.with(created.Thing)) // in the state from here on, whatever happens
//				return run.API.WaitForOperations(ctx, plan.ProjectID.ValueString(), created.Operations)
//			},
//			Read: func(ctx context.Context, run kit.Run, state model) (model, error) {
//				thing, err := run.API.GetThing(ctx, state.ProjectID.ValueString(), state.ID.ValueString())
//				if err != nil {
//					return state, err // where client.IsAbsent holds, it leaves the state
//				}
//				return state.with(thing), nil
//			},
//			Update: update, // nil where every change replaces it
//			Delete: remove,
//		})
//	}
//
// [Resource] is the right choice for one object that has a key and a few calls. What holds data sets Holds, for the
// protection from deletion; what moves along when its branch is restored sets FindAgain. What needs private state reads
// and writes it in [Run.Private], as neon_branch does. What decides its plan attribute by attribute sets Plan.
//
// What data sources return of an object is [Returned]: text and value of each attribute, said once for the one that
// reads an object and the one that lists them.
//
// What tests and pages need to know of a noun stands in the file noun.hcl of its folder (internal/nouns).
package kit
