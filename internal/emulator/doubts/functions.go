package doubts

var functions = &section{title: "Functions"}

// Doubts about functions. Those with a name have a reading or a question.
var (
	_ = functions.add("functions-recorded", "What a deployment does", "it is recorded, and nothing ever runs: the "+
		"emulator refuses no code, but a bundle without index.mjs or index.js at its root fails. Triggers never fire: "+
		"`next_run_at` says when an enabled one would")
	_ = functions.add("function-refusals", "A domain that isn't there, for which functions and triggers have [404 and these words](https://github.com/alchemy-run/distilled/blob/3ed9a11e010b1635f69543a2ad6e049b04f96cf2/packages/neon/backend-verification.md); a first deployment without a zip; a second trigger of a name (words; its status was [seen](https://github.com/alchemy-run/alchemy))", "404; 400; 409")

	NeonVariables = functions.add("neon-variables", "A variable of a function whose name begins with `NEON_` (the [page](https://neon.com/docs/compute/functions/environment-variables) of July 2026 says that one's own value overrides Neon's, the one of June that such names are reserved)", "is taken",
		reads("Variables of a function whose names begin with NEON_: they override Neon's, or are refused.", "taken", "refused").because("it takes a deployment"))

	FunctionOfChild = functions.add("function-of-child", "A function of the parent once it is deployed on a branch of a branch (that an inherited one can be deployed there, and its variables carry over, is in `@neon/sdk` 6.1.2; its id and the number of the deployment aren't said)", "it goes on with the id and the numbers, and its name can be changed there from then on",
		reads("A function of the parent once it is deployed on a branch of a branch: it goes on with its id and numbers, or is another one that begins anew.", "continued", "new").because("it takes a deployment"))

	DeletedOnChild = functions.add("deleted-on-child", "A function, trigger or bucket of a branch, of which its parent has one, once the branch's own is deleted there", "nothing of that name is there; an inherited one that is deleted there is gone there alone",
		reads("What a branch sees once its own function, trigger or bucket is deleted of which its parent has one: nothing, or the parent's again.", "gone", "parents").because("it takes a deployment"))

	FunctionAddress = functions.add("function-address", "`invocation_url` of a function that has an active deployment (empty \"when the function has no servable invoke host\", by the description of `@neon/sdk`; when that is isn't said)", "an address",
		reads("The invocation_url of a function that was deployed: an address, or an empty text.", "given", "none").because("it takes a deployment"))

	_ = functions.add("restored-functions", "Functions and triggers after a restore or a reset of their branch", "stay as they are; a branch that is restored from a snapshot has copies of its own, and its triggers are disabled")
	_ = functions.add("custom-domain-name", "A domain that can't be the name of a host: an address, a wildcard, a single label, or with other characters (status, words)", "400")
	_ = functions.add("custom-domain-reserved", "A domain that a deleted function or project had ([reserved](https://neon.com/docs/compute/functions/custom-domains)), on another branch (status, words)", "409")
)
