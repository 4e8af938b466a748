export { DialogWindow } from './dialog-window.tsx'
export { MenuList } from './menu-list.tsx'
export { PopoverPanel } from './popover-panel.tsx'
