package doubts

var storage = &section{title: "Object storage and service credentials"}

// Doubts about object storage and service credentials. Those with a name have a reading or a question.
var (
	BackendOffered = storage.add("backend-offered", "Which organizations and regions have object storage, the AI gateway and service credentials (the [four regions](https://neon.com/docs/storage/overview) are documented; the words are those that Neon's command line looks for), and whether functions need the same", "all organizations; functions go without",
		reads("Which organizations may use object storage, the AI gateway and service credentials, in the regions that have them.", "everybody", "nobody").because("no account has both"))

	_ = storage.add("credential-missing", "Secrets of a service credential that was revoked ([it stays in the list](https://github.com/alchemy-run/distilled/blob/3ed9a11e010b1635f69543a2ad6e049b04f96cf2/packages/neon/backend-verification.md)), and revoking one that isn't there (words)", "404, 404")
	_ = storage.add("credential-of-child", "A branch's service credential, asked for through a branch of it, in which it is [valid](https://neon.com/docs/storage/authentication) (status, words)", "404, and it isn't in that branch's list")

	SecondBucket = storage.add("second-bucket", "A bucket of a name that the branch has already (status, words)", "409; one that it has from its parent alone becomes its own",
		reads("A bucket of a name that the branch has: the status of the refusal.", "409", "400", "422"))

	BucketNotEmpty = storage.add("bucket-not-empty", "Deleting a bucket that has objects (status, words; that it must be empty is [documented](https://neon.com/docs/storage/buckets))", "409",
		reads("Deleting a bucket that has objects: the status of the refusal.", "409", "400", "422").because("it takes an upload"))

	InheritedNotEmpty = storage.add("inherited-not-empty", "Deleting a bucket, on a branch of a branch, that has nothing but what the parent's had (`objects-by-prefix` leaves that alone, by the description of `@neon/sdk`; whether it makes a bucket not empty isn't said)", "it can be deleted there",
		reads("A bucket on a branch that has nothing but its parent's objects: it can be deleted, or isn't empty.", "deleted", "refused").because("it takes an upload"))

	_ = storage.add("restored-buckets", "Buckets after a restore (a reset takes the parent's in [two regions](https://neon.com/docs/changelog), and other restores leave them)", "a reset takes the parent's in all regions")
	_ = storage.add("object-etag", "The ETag of an object", "MD5, as of S3")

	BucketOfChild = storage.add("bucket-of-child", "A bucket of the parent once it is created on a branch of a branch (that this makes it the branch's own was [seen](https://github.com/alchemy-run/alchemy)): its `created_at` and access level", "those of the parent, whatever level is sent; the provider sends none other",
		reads("created_at of a bucket of the parent once it is created on a branch of a branch: the parent's, or when that was.", "kept", "new").because("it takes a branch of a branch with storage"))
)
