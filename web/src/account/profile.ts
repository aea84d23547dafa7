import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client";

export interface SshKey {
  readonly id: string;
  readonly title: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly created: number;
}

export interface Profile {
  readonly name: string;
  readonly admin: boolean;
  readonly email: string | null;
  readonly displayName: string | null;
  readonly language: string | null;
  readonly sshKeys: readonly SshKey[];
}

export const profileKey = ["profile"];

export function useProfile() {
  return useQuery({ queryKey: profileKey, queryFn: () => api.get<Profile>("/users/me") });
}
