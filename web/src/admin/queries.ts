import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client";

/** Lists that several sections use; the server returns them complete, without paging. */
export function useUsers() {
  return useQuery({ queryKey: ["users"], queryFn: () => api.get<"listUsers">("/users") });
}

export function useGroups() {
  return useQuery({ queryKey: ["groups"], queryFn: () => api.get<"listGroups">("/groups") });
}

export function useClusters() {
  return useQuery({
    queryKey: ["jobs", "virtual-clusters"],
    queryFn: () => api.get<"listVirtualClusters">("/virtual-clusters"),
  });
}

export function useStorages() {
  return useQuery({ queryKey: ["storages"], queryFn: () => api.get<"listStorages">("/storages") });
}
