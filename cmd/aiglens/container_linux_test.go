package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// workload is what this test reads of a manifest of Kubernetes.
type workload struct {
	Kind string
	Spec struct {
		Selector struct {
			MatchLabels map[string]string `yaml:"matchLabels"`
		}
		Template struct {
			Metadata struct{ Labels, Annotations map[string]string }
			Spec     struct {
				Grace      int `yaml:"terminationGracePeriodSeconds"`
				Containers []struct {
					Args         []string
					VolumeMounts []struct{ Name, MountPath string } `yaml:"volumeMounts"`
					Ports        []containerPort
				}
			}
		}
	}
}

type containerPort struct {
	Name string
	Port int `yaml:"containerPort"`
}

// workloads returns the workloads of docs/deploy/kubernetes.yaml.
func workloads(t *testing.T) (all []workload) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "deploy", "kubernetes.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for documents := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var node yaml.Node
		err := documents.Decode(&node)
		if errors.Is(err, io.EOF) {
			return all
		}
		var w workload
		var kind struct{ Kind string }
		if err == nil {
			err = node.Decode(&kind)
		}
		if err == nil && kind.Kind != "Service" {
			if err = node.Decode(&w); err == nil {
				all = append(all, w)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestKubernetes: the manifests are YAML, select their own pods, and give flags that there are.
func TestKubernetes(t *testing.T) {
	all := workloads(t)
	if len(all) != 2 {
		t.Fatalf("%d workloads", len(all))
	}
	for _, w := range all {
		template, container := w.Spec.Template, w.Spec.Template.Spec.Containers[0]
		flags := nodeFlagsOf(t, container.Args)
		for name, value := range w.Spec.Selector.MatchLabels {
			if template.Metadata.Labels[name] != value {
				t.Errorf("%s: it selects no pod of its own", w.Kind)
			}
		}
		_, port, _ := strings.Cut(flags.metrics, ":")
		if port != template.Metadata.Annotations["prometheus.io/port"] || !slices.ContainsFunc(container.Ports, func(p containerPort) bool { return p.Name == "metrics" && strconv.Itoa(p.Port) == port }) {
			t.Errorf("%s: metrics at %q", w.Kind, flags.metrics)
		}
		if grace := template.Spec.Grace; flags.drain > 0 && float64(grace) <= (flags.drain+leaveGrace).Seconds() {
			t.Errorf("%s: it is killed after %d s, and drains for %s", w.Kind, grace, flags.drain)
		}
	}
}

// TestContainer runs the commands of the manifests as the image does: in a root folder that has the
// program, /proc and what is mounted, as a user without rights. The certificate is made as the manifests
// say. A check in the same place is answered.
func TestContainer(t *testing.T) {
	for _, tool := range []string{"unshare", "openssl"} {
		if _, err := exec.LookPath(tool); err != nil || os.Getuid() != 0 {
			t.Skip("this needs root, unshare and openssl")
		}
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "deploy", "Containerfile"))
	if err != nil {
		t.Fatal(err)
	}
	recipe := regexp.MustCompile(`(?m)^[A-Z].*$`).FindAllString(string(text), -1)
	if want := []string{"FROM scratch", "COPY aiglens /aiglens", "USER 65534:65534", `ENTRYPOINT ["/aiglens"]`}; !slices.Equal(recipe, want) {
		t.Fatalf("the image is another one: %q", recipe)
	}
	root := t.TempDir()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"data", "secret", "etc", "proc"} {
		must(os.Mkdir(filepath.Join(root, dir), 0o755))
	}
	must(os.Chown(filepath.Join(root, "data"), 65534, 65534))
	manifests, err := os.ReadFile(filepath.Join("..", "..", "docs", "deploy", "kubernetes.yaml"))
	must(err)
	comment := strings.ReplaceAll(string(manifests[:bytes.Index(manifests, []byte("kubectl create"))]), "\n#", "\n")
	secrets := exec.Command("sh", "-ec", comment[strings.Index(comment, "openssl"):])
	secrets.Dir = filepath.Join(root, "secret")
	if out, err := secrets.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{"token", "certificate.pem", "key.pem"} {
		text, err := os.ReadFile(filepath.Join(root, "secret", name))
		must(err)
		must(os.WriteFile(filepath.Join(root, "data", name), text, 0o644))
		must(os.Chmod(filepath.Join(root, "secret", name), 0o644))
	}
	must(os.WriteFile(filepath.Join(root, "etc", "hosts"), []byte("127.0.0.1 aiglens\n"), 0o644))
	must(os.WriteFile(filepath.Join(root, "a.aag"), []byte(refuted), 0o644))
	build := exec.Command("go", "build", "-o", filepath.Join(root, "aiglens"), "aiglens/cmd/aiglens")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	must(os.Chmod(root, 0o755))
	must(os.Chmod(filepath.Dir(root), 0o755))
	must(os.Chmod(filepath.Dir(filepath.Dir(root)), 0o755))
	launched := func(args []string, replace ...string) *program {
		const enter = `mount --bind /proc "$0/proc" && exec chroot --userspec=65534:65534 "$0" /aiglens "$@"`
		command := []string{"--mount", "--propagation", "private", "sh", "-ec", enter, root}
		for _, arg := range args {
			command = append(command, strings.NewReplacer(replace...).Replace(arg))
		}
		cmd := exec.Command("unshare", command...)
		cmd.Env = []string{} // as in an image
		return launchCommand(t, cmd)
	}
	all := workloads(t)
	server := launched(all[0].Spec.Template.Spec.Containers[0].Args, "0.0.0.0:4222", "127.0.0.1:0", "0.0.0.0:9464", "127.0.0.1:0")
	address := regexp.MustCompile(`127\.0\.0\.1:(\d+)`).FindStringSubmatch(server.await(t, "others ask"))
	if address == nil {
		t.Fatal("the server has no address")
	}
	at := "tls://aiglens:" + address[1]
	node := launched(all[1].Spec.Template.Spec.Containers[0].Args, "tls://aiglens:4222", at, "0.0.0.0:9464", "127.0.0.1:0")
	node.await(t, "works")
	asker := launched([]string{"check", "--no-cache", "--on", at, "--token", "/secret/token", "--ca", "/secret/certificate.pem", "/a.aag"})
	asker.await(t, "refuted")
	if text := server.said() + node.said() + asker.said(); text != "" {
		t.Error(text)
	}
}
