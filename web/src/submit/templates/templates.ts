import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, path } from "../../api/client";

export type { TemplateOutline as Template } from "../../api/description";

const KEY = ["templates"];

export function useTemplates() {
  return useQuery({
    queryKey: KEY,
    queryFn: () => api.get<"listTemplates">("/templates"),
    select: ({ templates }) => templates,
  });
}

export async function templateText(id: string): Promise<string> {
  return (await api.get<"showTemplate">(path`/templates/${id}`)).text;
}

/** Functions that save and delete templates. If the user already has a template of the given name, saving replaces it. */
export function useTemplateChanges() {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: KEY });
  return {
    save: async (template: { id?: string; name: string; description: string; text: string }) => {
      const { id, ...body } = template;
      await (id ? api.put<"changeTemplate">(path`/templates/${id}`, body) : api.post<"createTemplate">("/templates", body));
      await refresh();
    },
    remove: async (id: string) => {
      await api.delete(path`/templates/${id}`);
      await refresh();
    },
  };
}
