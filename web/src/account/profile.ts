import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client";

export type { SshKey, User as Profile } from "../api/description";

export const profileKey = ["profile"];

export function useProfile() {
  return useQuery({ queryKey: profileKey, queryFn: () => api.get<"showUser">("/users/me") });
}
