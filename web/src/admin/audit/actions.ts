/** Suggested values for the action filter; users can type any other value. */
export const actions = [
  "user.*", "group.*", "session.*", "token.*", "job.*", "image.*", "registry.*", "registry-login.*", "signup.*", "request.*",
  "vc.*", "storage.*", "node.*", "announcement.*", "user.create", "user.change", "user.password", "user.delete", "session.refuse",
  "group.add-member", "group.remove-member", "job.stop", "job.delete", "image.approve", "image.refuse", "node.cordon", "node.uncordon",
] as const;
