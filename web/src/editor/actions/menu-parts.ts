export { default as BlockMenu } from './block-menu.tsx'
export { default as KeyMapDialog } from './key-map-dialog.tsx'
export { FieldMenu, InsertMenu } from './search-menu.tsx'
