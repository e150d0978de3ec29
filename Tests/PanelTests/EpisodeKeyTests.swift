import Panel
import Testing

struct EpisodeKeyTests {
  @Test(
    "In a podcast the keys for next and previous are its episodes, and behind the last one it stops (B1)",
    arguments: [
      (0, PanelAction.next, [PanelCommand.episode(1)]), (2, .next, [.stop]), (2, .previous, [.episode(1)]),
      (0, .previous, [.episode(0)]),
    ])
  func episodeKeys(_ episode: Int, _ key: PanelAction, _ commands: [PanelCommand]) {
    var hand = Hand(
      20, 4,
      .playing {
        $0.episodes = ["New", "Middle", "Old"]
        ($0.episodeIndex, $0.stepsEpisodes) = (episode, true)
      })
    hand.press(key)
    #expect(hand.commands == commands)
    // Where they are not gone through, as while it is stopped, the keys are the stations.
    hand.commands = []
    hand.view.stepsEpisodes = false
    hand.press(key)
    #expect(hand.commands == [.tune(key == .next ? 3 : 1)])
  }
}
