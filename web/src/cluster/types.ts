export type { Device, IsolationLevel as Isolation, Node as ClusterNode, VirtualCluster } from "../api/description";
