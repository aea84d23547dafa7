import { texts } from "../../i18n/texts";

export const storageTexts = texts(
  {
    add: "New storage",
    readOnly: "Read only",
    readOnlyHint: "Jobs can read it and not change it.",
    usual: "Default",
    usualHint: "Mounted into jobs that name no storage.",
    nameHint: "Job files name it so. Files are in the server's data directory; groups say who may use it.",
    removeAsk: (name: string) => `Delete the storage ${name}?`,
    removeLoss: "Groups lose it and new jobs can't use it. Its files stay on disk. While jobs that use it are not over it can't be deleted.",
    empty: "There are no storages. A storage is a directory that several people's jobs share.",
  },
  {
    add: "新建存储",
    readOnly: "只读",
    readOnlyHint: "任务只能读取，不能修改。",
    usual: "默认",
    usualHint: "任务未指明存储时自动挂载。",
    nameHint: "任务文件中使用的名称。文件位于服务器数据目录；由用户组决定谁可以使用。",
    removeAsk: (name) => `删除存储 ${name}？`,
    removeLoss: "用户组将失去它，新任务无法使用；文件仍保留在磁盘上。仍有未结束的任务使用时无法删除。",
    empty: "还没有存储。存储是多人的任务共享的目录。",
  },
);
