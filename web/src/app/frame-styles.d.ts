/** Styles of Ant Design that the page needs at once; build/frame-styles.mjs makes them. */
declare module "frame-styles";
