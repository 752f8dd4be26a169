# Homebrew formula of the client.
class Svc < Formula
  desc "Command-line client of Svc, temporary file uploads"
  homepage "@HOMEPAGE@"
  url "@BASE@/svc-@VERSION@.tgz"
  sha256 "@SHA256 svc-@VERSION@.tgz@"
  license "MIT"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/svc --version")
  end
end
