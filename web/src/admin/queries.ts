import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client";
import type { VirtualCluster } from "../cluster/types";
import type { Group, Storage, User } from "./types";

/** Lists that several sections use; the server returns them complete, without paging. */
export function useUsers() {
  return useQuery({ queryKey: ["users"], queryFn: () => api.get<{ users: User[] }>("/users") });
}

export function useGroups() {
  return useQuery({ queryKey: ["groups"], queryFn: () => api.get<{ groups: Group[] }>("/groups") });
}

export function useClusters() {
  return useQuery({
    queryKey: ["jobs", "virtual-clusters"],
    queryFn: () => api.get<{ virtualClusters: VirtualCluster[] }>("/virtual-clusters"),
  });
}

export function useStorages() {
  return useQuery({ queryKey: ["storages"], queryFn: () => api.get<{ storages: Storage[] }>("/storages") });
}
