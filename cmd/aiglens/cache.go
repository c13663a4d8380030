package main

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"aiglens/design/answers"
	"aiglens/ic3/verify"
	"aiglens/internal/cache"
)

// cacheVariable is the environment variable that names the folder of the result
// cache, or switches it off.
const cacheVariable = "AIGLENS_CACHE"

// cacheOff stands in the place of a folder for none.
const cacheOff = "off"

// cacheDir returns the folder of the result cache: that of a flag, else that of the
// environment, else the user's; "" when it is off.
func cacheDir(setting string) (string, error) {
	if setting == "" {
		setting = os.Getenv(cacheVariable)
	}
	switch setting {
	case cacheOff:
		return "", nil
	case "":
		return cache.DefaultDir()
	}
	return setting, nil
}

// openCache returns the result cache, or nil when it is off. A folder in which nothing can be
// written, from the start or later, is reported once and hinders nothing.
func openCache(e env, setting string) verify.Cache {
	failed := func(err error) {
		fmt.Fprintf(e.stderr, "aiglens: results are not kept: %v (%s names another folder, or %s)\n", err, cacheVariable, cacheOff)
	}
	dir, err := cacheDir(setting)
	if err == nil && dir != "" {
		var s *cache.Store
		if s, err = cache.Open(dir, cache.Options{Version: versionText(), Failed: failed}); err == nil {
			return s
		}
	}
	if err != nil {
		failed(err)
	}
	return nil
}

// exitBroken is the code of cache verify when entries are broken and stay.
const exitBroken = 1

// results shows, tests and clears the result cache.
func results(ctx context.Context, e env, args []string) int {
	fs := newFlags("cache")
	setting := fs.String("dir", "", "`folder` of the results; without it that of "+cacheVariable+", or the one in the user's cache")
	repair := fs.Bool("repair", false, "with verify: remove the broken entries")
	words, code, done := parse(fs, e, args)
	if done {
		return code
	}
	actions := map[string]func(ctx context.Context, e env, dir string, repair bool) (int, error){
		"show": showCache, "verify": verifyCache, "clear": clearCache,
	}
	if len(words) == 1 && actions[words[0]] == nil {
		return noWord(e, "cache", words[0], slices.Sorted(maps.Keys(actions)))
	}
	if len(words) != 1 {
		return problem(e, "cache needs one of show, verify and clear")
	}
	if isSet(fs, "repair") && words[0] != "verify" {
		return problem(e, "--repair goes with cache verify")
	}
	dir, err := cacheDir(*setting)
	if err != nil {
		return problem(e, "%v; --dir names a folder", err)
	}
	if dir == "" {
		return problem(e, "the result cache is off; --dir names a folder")
	}
	code, err = actions[words[0]](ctx, e, dir, *repair)
	if err != nil {
		return problem(e, "cache %s: %v", words[0], err)
	}
	return code
}

// isSet reports whether the user gave one of some flags.
func isSet(fs *flag.FlagSet, names ...string) bool {
	set := false
	fs.Visit(func(f *flag.Flag) {
		for _, name := range names {
			set = set || f.Name == name
		}
	})
	return set
}

func showCache(ctx context.Context, e env, dir string, _ bool) (int, error) {
	s, err := cache.Summarize(ctx, dir)
	if err != nil {
		return exitUsage, err
	}
	fmt.Fprintf(e.stdout, "folder   %s\n", dir)
	fmt.Fprintf(e.stdout, "entries  %d: %d proved, %d refuted\n", s.Entries, s.Proved, s.Refuted)
	fmt.Fprintf(e.stdout, "size     %s of %s\n", sizeText(s.Bytes), sizeText(cache.DefaultLimit))
	if !s.Oldest.IsZero() {
		fmt.Fprintf(e.stdout, "oldest   %s\nnewest   %s\n", s.Oldest.Local().Format(time.DateTime), s.Newest.Local().Format(time.DateTime))
	}
	if s.Damaged > 0 {
		fmt.Fprintf(e.stdout, "damaged  %d; aiglens cache verify --repair removes them\n", s.Damaged)
	}
	return exitOK, nil
}

// sizeText returns a size for people.
func sizeText(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d KB", (n+1<<10-1)>>10)
	}
	return fmt.Sprintf("%.4g MB", float64(n)/(1<<20))
}

func verifyCache(ctx context.Context, e env, dir string, repair bool) (int, error) {
	broken, left := 0, 0
	entries, err := cache.Verify(ctx, dir, func(b cache.Broken) {
		broken++
		words := b.Err.Error()
		if repair {
			if err := os.Remove(b.Path); err != nil && !os.IsNotExist(err) {
				words += "; it cannot be removed: " + err.Error()
				left++
			} else {
				words += "; removed"
			}
		} else {
			left++
		}
		fmt.Fprintf(e.stdout, "%s: %s\n", b.Name, words)
	})
	if err != nil {
		return exitUsage, err
	}
	fmt.Fprintf(e.stdout, "%s checked, %d broken\n", answers.Count(entries, "entry", "entries"), broken)
	if left > 0 {
		return exitBroken, nil
	}
	return exitOK, nil
}

func clearCache(_ context.Context, e env, dir string, _ bool) (int, error) {
	n, err := cache.Clear(dir)
	if err != nil {
		return exitUsage, err
	}
	fmt.Fprintf(e.stdout, "%s removed\n", answers.Count(n, "entry", "entries"))
	return exitOK, nil
}
