import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, path } from "../../api/client";

/** A template for job files; see docs/api.md. */
export interface Template {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Message code of the description; only built-in templates are translated. */
  readonly descriptionCode?: string;
  readonly builtIn: boolean;
}

const KEY = ["templates"];

export function useTemplates() {
  return useQuery({
    queryKey: KEY,
    queryFn: () => api.get<{ templates: readonly Template[] }>("/templates"),
    select: ({ templates }) => templates,
  });
}

export async function templateText(id: string): Promise<string> {
  return (await api.get<{ text: string }>(path`/templates/${id}`)).text;
}

/** Functions that save and delete templates. Saving under the name of an own template replaces it. */
export function useTemplateChanges() {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: KEY });
  return {
    save: async (template: { id?: string; name: string; description: string; text: string }) => {
      const { id, ...body } = template;
      await (id ? api.put(path`/templates/${id}`, body) : api.post("/templates", body));
      await refresh();
    },
    remove: async (id: string) => {
      await api.delete(path`/templates/${id}`);
      await refresh();
    },
  };
}
