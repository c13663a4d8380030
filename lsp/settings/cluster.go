package settings

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"aiglens/lsp/offer"
)

// clusterJSON holds the setting as it is written. Files are absolute, or below "~/".
type clusterJSON struct {
	URL, Token, CA, Credentials, Prefix *string
}

// address returns where the cluster is: nowhere, where any of the members is wrong.
func (j clusterJSON) address() (offer.Address, error) {
	var a offer.Address
	var wrong []error
	file := func(name string, value *string, to *string) {
		if value == nil || strings.TrimSpace(*value) == "" {
			return
		}
		path := strings.TrimSpace(*value)
		if below, ok := strings.CutPrefix(path, "~/"); ok {
			if home, err := os.UserHomeDir(); err == nil {
				path = filepath.Join(home, below)
			}
		}
		if !filepath.IsAbs(path) {
			wrong = append(wrong, fmt.Errorf("settings: cluster.%s is %q, expected an absolute path", name, path))
			return
		}
		*to = path
	}
	file("token", j.Token, &a.Token)
	file("ca", j.CA, &a.CA)
	file("credentials", j.Credentials, &a.Credentials)
	if j.Prefix != nil {
		a.Prefix = strings.TrimSpace(*j.Prefix)
	}
	if j.URL != nil {
		for one := range strings.SplitSeq(strings.TrimSpace(*j.URL), ",") {
			u, err := url.Parse(strings.TrimSpace(one))
			if one != "" && (err != nil || u.Host == "" || u.Scheme != "nats" && u.Scheme != "tls") {
				wrong = append(wrong, errors.New("settings: cluster.url is not an address: expected nats://HOST:PORT or tls://HOST:PORT"))
			}
		}
		a.URL = strings.TrimSpace(*j.URL)
	}
	if len(wrong) > 0 || a.URL == "" {
		return offer.Address{}, errors.Join(wrong...)
	}
	return a, nil
}
