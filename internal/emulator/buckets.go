package emulator

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/page"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

const (
	bucketsPath = branchPath + "/buckets"
	bucketPath  = bucketsPath + "/{bucket_name}"
	objectPath  = bucketPath + "/objects/{object_key}"
)

var bucketRoutes = []route{
	{"GET " + branchPath + "/storage", forProject, (*Emulator).getStorage},
	{"GET " + branchPath + "/ai_gateway", forProject, (*Emulator).getAIGateway},
	{"GET " + bucketsPath, forProject, (*Emulator).listBuckets},
	{"POST " + bucketsPath, forProject, (*Emulator).createBucket},
	{"DELETE " + bucketPath, forProject, (*Emulator).deleteBucket},
}

type bucketView struct {
	Name      string `json:"name"`
	Access    string `json:"access_level"`
	CreatedAt string `json:"created_at"`
}

func (b *bucket) view() bucketView { return bucketView{b.Name, b.Access, wire.Seconds(b.CreatedAt)} }

// inheritedBuckets are a branch's in a branch of it.
func inheritedBuckets(buckets []*bucket) []*bucket {
	inherited := make([]*bucket, len(buckets))
	for i, b := range buckets {
		copied := *b
		copied.IsInherited, copied.Objects = true, map[string]*bucketObject{}
		for name, o := range b.Objects {
			object := *o
			object.IsInherited = true
			copied.Objects[name] = &object
		}
		inherited[i] = &copied
	}
	return inherited
}

// notThere refuses what a project's region or organization doesn't have; nil where it has.
func (e *Emulator) notThere(c *call, what, reason string) error {
	missing := e.backendReason(c.project)
	if missing == "" {
		return nil
	}
	return &wire.Error{Status: http.StatusNotFound, Message: what + " is not available", Reason: cmp.Or(reason, missing)}
}

// storageBranch finds the branch that the path names, where its project has object storage.
func (e *Emulator) storageBranch(c *call) (*branch, error) {
	return c.branch, e.notThere(c, "storage", "")
}

// bucket finds the one that the path names.
func (e *Emulator) bucket(c *call) (*branch, *bucket, error) {
	b, err := e.storageBranch(c)
	if err != nil {
		return nil, nil, err
	}
	found := b.bucketNamed(c.PathValue("bucket_name"))
	if found == nil {
		return b, nil, wire.NotFound("bucket not found")
	}
	return b, found, nil
}

// getStorage answers GET .../storage.
func (e *Emulator) getStorage(c *call) (reply, error) {
	b, err := e.storageBranch(c)
	if err != nil {
		return reply{}, err
	}
	return ok(map[string]any{
		"enabled": true, "s3_endpoint": e.serviceURL(c, b.ID, "storage"), "region": c.project.RegionID[len("aws-"):],
		"force_path_style": true,
	})
}

// getAIGateway answers GET .../ai_gateway.
func (e *Emulator) getAIGateway(c *call) (reply, error) {
	b := c.branch
	if err := e.notThere(c, "AI gateway", "ai_gateway_unavailable"); err != nil {
		return reply{}, err
	}
	return ok(map[string]any{"enabled": true, "base_url": e.serviceURL(c, b.ID, "ai")})
}

// listBuckets answers GET .../buckets.
func (e *Emulator) listBuckets(c *call) (reply, error) {
	b, err := e.storageBranch(c)
	if err != nil {
		return reply{}, err
	}
	views := []bucketView{}
	for _, known := range b.Buckets {
		views = append(views, known.view())
	}
	return ok(map[string]any{"buckets": views})
}

// createBucket answers POST .../buckets. One that the branch has from its parent becomes its own.
func (e *Emulator) createBucket(c *call) (reply, error) {
	var body struct {
		Name   string `json:"name" fits:"required,1..255"`
		Access string `json:"access_level" fits:"=private|public_read"`
	}
	b, err := e.changingBranch(c, &body)
	if err == nil {
		err = e.notThere(c, "storage", "")
	}
	if err == nil {
		err = checkPlace("bucket", body.Name)
	}
	if err != nil {
		return reply{}, err
	}
	known := b.bucketNamed(body.Name)
	switch {
	case known == nil:
		known = &bucket{Name: body.Name, Access: cmp.Or(body.Access, "private"), CreatedAt: c.now, Objects: map[string]*bucketObject{}}
		b.Buckets = append(b.Buckets, known)
	case !known.IsInherited:
		return reply{}, e.doubtful(doubts.SecondBucket, wire.Conflict("bucket already exists"))
	}
	if known.IsInherited && e.plays(doubts.BucketOfChildNew) {
		known.CreatedAt = c.now
	}
	known.IsInherited = false
	return created(map[string]any{"bucket": known.view()})
}

// deleteBucket answers DELETE .../buckets/{bucket_name}.
func (e *Emulator) deleteBucket(c *call) (reply, error) {
	b, known, err := e.bucket(c)
	switch {
	case err != nil:
		return reply{}, err
	case slices.ContainsFunc(known.listed(""), func(o *bucketObject) bool { return !o.IsInherited || e.plays(doubts.InheritedNotEmptyRefused) }):
		return reply{}, e.doubtful(doubts.BucketNotEmpty, wire.Conflict("bucket is not empty"))
	}
	if err := e.checkFree(c.project, c.now, b.ID); err != nil {
		return reply{}, err
	}
	b.Buckets = slices.DeleteFunc(b.Buckets, func(other *bucket) bool { return other == known })
	if parent := e.showsThrough(c, !known.IsInherited); parent != nil && parent.bucketNamed(known.Name) != nil {
		b.Buckets = append(b.Buckets, inheritedBuckets([]*bucket{parent.bucketNamed(known.Name)})...)
	}
	return alreadyGone()
}

// shownBuckets are those that are the branch's own on the control path, and all on the page.
var shownBuckets = shown{
	list: "buckets", heading: "Buckets",
	ofBranch: func(b *branch) []object {
		return objectsOf(b.Buckets, func(known *bucket) object {
			if known.IsInherited {
				return nil
			}
			return object{"id": known.Name, "name": known.Name, "access_level": known.Access}
		})
	},
	items: func(_ *project, b *branch, _ time.Time) []page.Item { return items(b.Buckets, (*bucket).item) },
}

func (b *bucket) item() page.Item {
	objects := b.listed("")
	names := make([]string, 0, len(objects))
	for _, o := range objects[:min(len(objects), mostObjects)] {
		names = append(names, o.Key)
	}
	said := count(len(objects), "object")
	if len(names) > 0 {
		said += ": " + strings.Join(names, ", ")
	}
	if len(objects) > mostObjects {
		said += ", …"
	}
	return page.Item{Name: b.Name, Detail: details(b.Access, inherited(b.IsInherited), said)}
}

// mostObjects is how many objects of a bucket are named.
const mostObjects = 10
