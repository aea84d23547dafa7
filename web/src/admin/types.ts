import type { Limits } from "../api/description";

export type { Group, Limits, ListedUser as User, Storage, UserLimits } from "../api/description";
export type LimitName = keyof Limits;
