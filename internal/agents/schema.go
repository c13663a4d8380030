package agents

// schema returns the JSON schema of the arguments of a tool.
func schema(parameters []described) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, p := range parameters {
		one := map[string]any{"description": p.about}
		switch p.kind {
		case text:
			one["type"] = "string"
			if p.flag.Choices != nil {
				one["enum"] = p.flag.Choices
			}
		case integer:
			one["type"], one["minimum"] = "integer", p.least
		case truth:
			one["type"] = "boolean"
		case texts:
			one["type"], one["items"] = "array", map[string]any{"type": "string"}
		}
		properties[p.name] = one
		if p.isRequired {
			required = append(required, p.name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}
