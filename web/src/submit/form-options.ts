import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client";
import { ApiError } from "../api/error";

export type { CatalogueImage as CatalogImage, VirtualCluster } from "../api/description";

const REFETCH_INTERVAL = 10_000;

export function useNodes() {
  return useQuery({
    queryKey: ["jobs", "free-now"],
    queryFn: () => api.get<"listNodes">("/nodes"),
    refetchInterval: REFETCH_INTERVAL,
    select: ({ engine, nodes }) => ({
      engine,
      freeCpus: sum(nodes, (node) => node.freeCpus),
      cpus: sum(nodes, (node) => node.cpus),
      freeMemoryMB: sum(nodes, (node) => node.freeMemoryMB),
      memoryMB: sum(nodes, (node) => node.memoryMB),
      devices: sum(nodes, (node) => node.devices.length),
      freeDevices: sum(nodes, (node) => node.devices.filter((device) => device.job === null).length),
      deviceTypes: [...new Set(nodes.flatMap((node) => node.devices.map((device) => device.model)))].filter(Boolean).sort(),
    }),
  });
}

export function useVirtualClusters() {
  return useQuery({
    queryKey: ["virtual-clusters"],
    queryFn: () => api.get<"listVirtualClusters">("/virtual-clusters"),
    select: (answer) => answer.virtualClusters,
  });
}

export function useCatalog() {
  return useQuery({
    queryKey: ["images"],
    queryFn: () => api.get<"listCatalogue">("/images"),
    select: ({ images }) => images.filter((image) => image.state === "APPROVED"),
  });
}

/** Returns the images on the node; empty for engines without images. The process engine is not queried. */
export function useLocalImages() {
  const engine = useNodes().data?.engine;
  return useQuery({
    enabled: engine !== undefined && engine !== "process",
    queryKey: ["local-images", "references"],
    queryFn: async () => {
      try {
        const { images } = await api.get<"listLocalImages">("/local-images");
        return images.map((image) => image.reference);
      } catch (error) {
        if (error instanceof ApiError && error.code === "CONFLICT") {
          return [];
        }
        throw error;
      }
    },
  });
}

function sum<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((total, one) => total + of(one), 0);
}
