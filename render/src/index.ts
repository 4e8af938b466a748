// The public API of the package.
export { type LinkSource, linkSources, linkTarget } from './anchors.ts'
export { buttonPadding, defaultButtonColor } from './blocks/button.ts'
export type { ListItem, ListItemLabel } from './blocks/list.ts'
export type { SocialListItem } from './blocks/social-list.ts'
export { contrast, parseColor } from './colors.ts'
export { type Block, type Content, contentSchema, enums, limits } from './content.ts'
export {
  contrastBoundOf,
  contrastBounds,
  isReadable,
  mailPapers,
  type PaperPlace,
  papersBehind,
} from './contrast.ts'
export { type ExampleFields, exampleContent } from './example.ts'
export type { Href } from './href.ts'
export { escapeText } from './html.ts'
export { brands, type IconName, iconLabel, iconNames, isBrand } from './icons.ts'
export { type FieldLabels, linkLabels, linkSourceLabel } from './link-labels.ts'
export { safeUrl } from './links.ts'
export {
  compile,
  maxHtmlLength,
  type Rendered,
  type RenderHooks,
  type RenderOptions,
  render,
  type Template,
} from './render.ts'
export { networkAtHost, networkHome, networkOfAddress } from './social-networks.ts'
export { fontCss, type TextStyle } from './style.ts'
export { linkColor, type Token } from './tokens.ts'
export type {
  Anchor,
  AssetSource,
  Crop,
  FieldDefinition,
  IconBox,
  Marks,
  Person,
  PersonPicture,
  PersonPictureBox,
  PictureBox,
  Problem,
  QrCodeRequest,
  RenderedCampaign,
  Surroundings,
} from './types.ts'
export { usesStyle } from './used-style.ts'
export { type ContentReference, validateContent } from './validate.ts'
export { fillIds } from './walk.ts'
export { type Warning, warningCodes } from './warnings.ts'
