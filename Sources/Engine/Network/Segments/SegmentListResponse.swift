import Http
import Listings

/// A received list of an HLS station.
struct SegmentListResponse {
  let list: SegmentList
  /// Address of the list, after redirects.
  let base: WebAddress
  let referral: AddressOrigin?
  /// Number of requests for the list, including redirects.
  let requestCount: Int
}
