# Homebrew formula of the server. Its data is in $(brew --prefix)/var/svcd.
class Svcd < Formula
  desc "Server of Svc, temporary file uploads"
  homepage "@HOMEPAGE@"
  url "@BASE@/svcd-@VERSION@.tgz"
  sha256 "@SHA256 svcd-@VERSION@.tgz@"
  license "MIT"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
  end

  service do
    run [opt_bin/"svcd", "serve"]
    working_dir var/"svcd"
    keep_alive true
    log_path var/"log/svcd.log"
    error_log_path var/"log/svcd.log"
  end

  def post_install
    (var/"svcd").mkpath
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/svcd --version")
  end
end
