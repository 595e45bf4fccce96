package doubts

var networks = &section{title: "Private networking"}

// Doubts about private networking. Those with a name have a reading or a question.
var (
	_ = networks.add("vpc-missing", "An endpoint or a restriction that isn't there (status, words)", "404")

	VPCRemoved = networks.add("vpc-removed", "An endpoint that was removed from the organization before (status, words; that it is [refused](https://neon.com/docs/reference/api/organizations) is documented)", "422 in the same region",
		reads("Assigning a VPC endpoint that was removed before: the status of the refusal.", "422", "400", "409").because("it takes an endpoint of AWS, and uses it up"))

	VPCRegions = networks.add("vpc-regions", "Azure regions and unknown ones; an eleventh endpoint in a region (statuses, words; both are [refused](https://neon.com/docs/reference/api/organizations))", "400; 422",
		reads("Assigning a VPC endpoint in a region without PrivateLink: the status of the refusal.", "400", "404", "422"))

	VPCPlans = networks.add("vpc-plans", "Assigning on Free and Launch (status, words; an [\"access error\"](https://neon.com/docs/guides/neon-private-networking))", "403",
		reads("Assigning a VPC endpoint on a plan without private networking: the status of the refusal.", "403", "400", "412", "422"))

	_ = networks.add("vpc-rights", "Whether an organization's key may assign and remove endpoints (beside [administrators](https://neon.com/docs/guides/neon-private-networking))", "it may")

	VPCAccepted = networks.add("vpc-accepted", "When Neon accepts a new endpoint (in a [sample](https://neon.com/docs/guides/neon-private-networking) one that projects are restricted to is still `new`)", "after as long as an operation takes",
		reads("When Neon accepts a new VPC endpoint: after as long as an operation takes, or after a day.", "soon", "later").because("it takes an endpoint of AWS, and uses it up"))

	VPCRestrictionRefused = networks.add("vpc-restriction-refused", "A restriction to an endpoint that isn't assigned (status, words), or is in another region than the project", "422",
		reads("Restricting a project to a VPC endpoint that isn't assigned: the status of the refusal.", "422", "400", "404"))

	_ = networks.add("vpc-remove-restricted", "Removing an endpoint that projects are restricted to", "taken; the restrictions stay")

	VPCProjectKeys = networks.add("vpc-project-keys", "Keys for one project", "may see and change the restrictions of their project",
		reads("What keys for one project ask of its restrictions: the status of the refusal.", "taken", "403", "404"))
)
