package doubts

var networks = &section{title: "Private networking"}

// Doubts about private networking. Those with a name have a reading or a question.
var (
	_ = networks.add(&Doubt{Key: "vpc-missing", What: "An endpoint or a restriction that isn't there (status, words)", Decided: "404"})

	VPCRemoved = networks.add(&Doubt{
		Key: "vpc-removed", What: "An endpoint that was removed from the organization before (status, words; that it is [refused](https://neon.com/docs/reference/api/organizations) is documented)",
		Decided:      "422 in the same region",
		Reading:      "Assigning a VPC endpoint that was removed before: the status of the refusal.",
		Alternatives: []string{"422", "400", "409"},
		Unasked:      "it takes an endpoint of AWS, and uses it up",
	})

	VPCRegions = networks.add(&Doubt{
		Key: "vpc-regions", What: "Azure regions and unknown ones; an eleventh endpoint in a region (statuses, words; both are [refused](https://neon.com/docs/reference/api/organizations))",
		Decided:      "400; 422",
		Reading:      "Assigning a VPC endpoint in a region without PrivateLink: the status of the refusal.",
		Alternatives: []string{"400", "404", "422"},
	})

	VPCPlans = networks.add(&Doubt{
		Key: "vpc-plans", What: "Assigning on Free and Launch (status, words; an [\"access error\"](https://neon.com/docs/guides/neon-private-networking))",
		Decided:      "403",
		Reading:      "Assigning a VPC endpoint on a plan without private networking: the status of the refusal.",
		Alternatives: []string{"403", "400", "412", "422"},
	})

	_ = networks.add(&Doubt{Key: "vpc-rights", What: "Whether an organization's key may assign and remove endpoints (beside [administrators](https://neon.com/docs/guides/neon-private-networking))", Decided: "it may"})

	VPCAccepted = networks.add(&Doubt{
		Key: "vpc-accepted", What: "When Neon accepts a new endpoint (in a [sample](https://neon.com/docs/guides/neon-private-networking) one that projects are restricted to is still `new`)",
		Decided:      "after as long as an operation takes",
		Reading:      "When Neon accepts a new VPC endpoint: after as long as an operation takes, or after a day.",
		Alternatives: []string{"soon", "later"},
		Unasked:      "it takes an endpoint of AWS, and uses it up",
	})
	VPCAcceptedLater = VPCAccepted.played("later")

	VPCRestrictionRefused = networks.add(&Doubt{
		Key: "vpc-restriction-refused", What: "A restriction to an endpoint that isn't assigned (status, words), or is in another region than the project",
		Decided:      "422",
		Reading:      "Restricting a project to a VPC endpoint that isn't assigned: the status of the refusal.",
		Alternatives: []string{"422", "400", "404"},
	})

	_ = networks.add(&Doubt{Key: "vpc-remove-restricted", What: "Removing an endpoint that projects are restricted to", Decided: "taken; the restrictions stay"})

	VPCProjectKeys = networks.add(&Doubt{
		Key: "vpc-project-keys", What: "Keys for one project",
		Decided:      "may see and change the restrictions of their project",
		Reading:      "What keys for one project ask of its restrictions: the status of the refusal.",
		Alternatives: []string{"taken", "403", "404"},
	})
	VPCProjectKeysTaken = VPCProjectKeys.played("taken")
)
