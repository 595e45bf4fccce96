package emulator

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

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
	{"GET " + branchPath + "/storage", forProject, checked((*Emulator).getStorage, (*Emulator).hasStorage)},
	{"GET " + branchPath + "/ai_gateway", forProject, checked((*Emulator).getAIGateway, (*Emulator).hasAIGateway)},
	{"GET " + bucketsPath, forProject, checked(tells("buckets",
		func(_ *Emulator, c *call) []object { return viewsOf(c.branch.Buckets, (*bucket).view) }), (*Emulator).hasStorage)},
	{"POST " + bucketsPath, forProject, withBody(whenFree((*Emulator).createBucket))},
	{"DELETE " + bucketPath, forProject, about((*Emulator).bucket, whenFree((*Emulator).deleteBucket))},
}

func (b *bucket) view() object {
	return object{"name": b.Name, "access_level": b.Access, "created_at": wire.Seconds(b.CreatedAt)}
}

// inherited is a branch's in a branch of it.
func (b *bucket) inherited() *bucket {
	copied := *b
	copied.IsInherited, copied.Objects = true, map[string]*bucketObject{}
	for name, o := range b.Objects {
		object := *o
		object.IsInherited = true
		copied.Objects[name] = &object
	}
	return &copied
}

// notThere refuses what a project's region or organization doesn't have; nil where it has.
func (e *Emulator) notThere(c *call, what, reason string) error {
	missing := e.backendReason(c.project)
	if missing == "" {
		return nil
	}
	return &wire.Error{Status: http.StatusNotFound, Message: what + " is not available", Reason: cmp.Or(reason, missing)}
}

func (e *Emulator) hasStorage(c *call) error { return e.notThere(c, "storage", "") }

func (e *Emulator) hasAIGateway(c *call) error {
	return e.notThere(c, "AI gateway", "ai_gateway_unavailable")
}

func (e *Emulator) bucket(c *call) (*bucket, error) {
	if err := e.hasStorage(c); err != nil {
		return nil, err
	}
	return named(c, c.branch.Buckets, "bucket_name", func(b *bucket) string { return b.Name }, "bucket not found")
}

func (e *Emulator) getStorage(c *call) (reply, error) {
	return ok(map[string]any{
		"enabled": true, "s3_endpoint": e.serviceURL(c, c.branch.ID, "storage"), "region": c.project.RegionID[len("aws-"):],
		"force_path_style": true,
	})
}

func (e *Emulator) getAIGateway(c *call) (reply, error) {
	return ok(map[string]any{"enabled": true, "base_url": e.serviceURL(c, c.branch.ID, "ai")})
}

// createBucket answers POST .../buckets. One that the branch has from its parent becomes its own.
func (e *Emulator) createBucket(c *call, body struct {
	Name   string `json:"name" fits:"required,1..255"`
	Access string `json:"access_level" fits:"=private|public_read"`
}) (reply, error) {
	b := c.branch
	if err := cmp.Or(e.hasStorage(c), checkPlace("bucket", body.Name)); err != nil {
		return reply{}, err
	}
	known := b.bucketNamed(body.Name)
	switch {
	case known == nil:
		known = &bucket{Name: body.Name, Access: cmp.Or(body.Access, "private"), CreatedAt: c.now}
		b.Buckets = append(b.Buckets, known)
	case !known.IsInherited:
		return reply{}, e.doubtful(doubts.SecondBucket, wire.Conflict("bucket already exists"))
	}
	if known.IsInherited && e.plays(doubts.BucketOfChild, "new") {
		known.CreatedAt = c.now
	}
	known.IsInherited = false
	return created(map[string]any{"bucket": known.view()})
}

func (e *Emulator) deleteBucket(c *call, known *bucket) (reply, error) {
	keeps := func(o *bucketObject) bool { return !o.IsInherited || e.plays(doubts.InheritedNotEmpty, "refused") }
	if slices.ContainsFunc(known.listed(""), keeps) {
		return reply{}, e.doubtful(doubts.BucketNotEmpty, wire.Conflict("bucket is not empty"))
	}
	c.branch.Buckets = remove(e, c, c.branch.Buckets, known, known.IsInherited,
		func(parent *branch) *bucket { return parent.bucketNamed(known.Name) })
	return alreadyGone()
}

// shownBuckets are those that are the branch's own on the control path, and all on the page.
var shownBuckets = shownOnBranches("buckets", "Buckets", func(b *branch) []*bucket { return b.Buckets },
	func(b *bucket) object {
		if b.IsInherited {
			return nil
		}
		return object{"id": b.Name, "name": b.Name, "access_level": b.Access}
	}, (*bucket).item)

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
