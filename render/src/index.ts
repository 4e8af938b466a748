// The public API of the package.

export { buttonPadding, defaultButtonColor } from './blocks/button.ts'
export { usesStyle } from './blocks/index.ts'
export type { ListItem, ListItemLabel } from './blocks/list.ts'
export type { SocialListItem } from './blocks/social-list.ts'
export { type Block, type Content, contentSchema, enums, limits } from './content.ts'
export { type ExampleFields, exampleContent } from './example.ts'
export { escapeText } from './html.ts'
export { brands, type IconName, iconLabel, iconNames, isBrand } from './icons.ts'
export { type LinkSource, linkSources, linkTarget } from './links/anchors.ts'
export type { Href } from './links/href.ts'
export { type FieldLabels, linkLabels, linkSourceLabel } from './links/link-labels.ts'
export { safeUrl } from './links/links.ts'
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
export { contrast, parseColor } from './style/colors.ts'
export {
  contrastBoundOf,
  contrastBounds,
  isReadable,
  mailPapers,
  type PaperPlace,
  papersBehind,
} from './style/contrast.ts'
export { fontCss, type TextStyle } from './style/style.ts'
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
export { type ContentReference, validateContent } from './validate.ts'
export { fillIds } from './walk.ts'
export { type Warning, warningCodes } from './warnings.ts'
