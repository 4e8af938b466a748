// The public API of the package.
export { type LinkSource, linkSources, linkTarget } from './anchors.ts'
export { contrast, parseColor } from './colors.ts'
export { type Block, type Content, contentSchema, enums, limits } from './content.ts'
export { type ExampleFields, exampleContent } from './example.ts'
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
export { linkColor } from './tokens.ts'
export type {
  Anchor,
  AssetSource,
  Crop,
  FieldDefinition,
  IconBox,
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
