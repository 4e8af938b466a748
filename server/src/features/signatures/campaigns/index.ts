export { addressesInReach, type CampaignReach } from './audience/reach.ts'
export { audienceOf } from './audience/rules.ts'
export {
  type BannerChoice,
  type Banners,
  bannersOf,
  type ChosenBanner,
  noBanners,
  onlyBannerOf,
  type RunningBanner,
  runningBanners,
} from './banners/choose.ts'
export { campaignJobs } from './jobs.ts'
export { applyDueTransitions, pauseCampaignsOnlyFor, performAction } from './lifecycle/transitions.ts'
export { findCampaign, findStoredCampaign, hasCampaignNamed, markMailed } from './queries.ts'
export { campaignRoutes } from './routes.ts'
export { type CampaignDeps, createCampaign } from './rules.ts'
export type { Campaign } from './schemas.ts'
